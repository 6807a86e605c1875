/* SPDX-License-Identifier: MIT */
/*
 * Model of a board with an FTDI chip as a USB device. Its MPSSE is in ftdi_chip.c, the target on its wires in swd.c.
 *
 *	[OPTION]... [TARGET]... --
 *
 * TARGET is an option of swd.h. Options:
 *
 *	--kind NAME        the board, see ftdi_chip.c; ft2232h by default
 *	--wires swd|jtag   what they carry; swd by default
 *	--resistor         TDI leads to SWDIO through a resistor
 *	--serial NUMBER
 *	--wire BYTES       size of the endpoints' packets, as descriptors state it
 *	--counts FILE      at the end, write counts to FILE, each on a line NAME NUMBER; connected is 1 if the
 *	                   chip was left in MPSSE mode
 *
 * Faults of every Nth answer, that is what SEND_IMMEDIATE sends, unless stated otherwise:
 *
 *	--lose N           it is not sent
 *	--shorten N        it ends after half its bytes
 *	--lengthen N       64 bytes of 0xff follow
 *	--lie N            its first two bytes are 0xff
 *	--flood N          from then on, 0xff is sent endlessly
 *	--stall N          the endpoint is halted before it
 *	--stall-out N      the endpoint from the host is halted after it
 *	--unplug-after N   the device is unplugged after N answers
 *	--slow MS          every answer takes this long
 *	--mute N           from the Nth answer on nothing is sent, and then no command is accepted
 *	--stale N          N bytes of an answer to an earlier program are sent first
 */
#include "../options/options.h"
#include "../usb/device.h"
#include "ftdi_chip.h"

#include "setup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORD(value) DEVICE_WORD(value)

#define PACKET       512
#define STATUS_BYTES 2 /* of each packet to the host */

/* USB 2.0, 9.6.3, 9.6.5 and 9.6.6. */
#define CONFIGURATION_SIZE 9
#define INTERFACE_SIZE     (9 + 2 * 7)
#define CHANNELS_MAX       4

/* Vendor requests (libftdi, ftdi.h; FTDI does not document them). */
enum { RESET = 0, GET_STATUS = 5, SET_LATENCY = 9, GET_LATENCY = 10, SET_MODE = 11, READ_EEPROM = 0x90 };
enum { PURGE_RECEIVED = 1, PURGE_ANSWERS = 2, MODE_MPSSE = 2 };

struct probe {
	struct device device;
	struct ftdi_chip chip;
	uint8_t descriptors[DEVICE_DESCRIPTOR_SIZE + CONFIGURATION_SIZE + CHANNELS_MAX * INTERFACE_SIZE];
	const char *kind_name, *wires, *counts_path;
	uint64_t stated_packet;
	/* Faults, see above; 0: none. */
	uint64_t lose, shorten, lengthen, lie, flood, stall, stall_out, unplug_after, slow, mute, stale;

	bool is_silent; /* a twin */
	bool is_halted, is_out_halted;
	unsigned latency;
	uint64_t sent_at, answered_at;
	unsigned answers, stalled_at, out_stalled_at, transfers;
};

static struct probe *probe_of(struct device *device)
{
	return (struct probe *)device;
}

static int control(struct device *device, const uint8_t setup[8], uint8_t *data, size_t capacity)
{
	struct probe *probe = probe_of(device);
	const unsigned value = setup[2] | (unsigned)setup[3] << 8;
	const bool is_ours = setup[4] == probe->chip.board->channel + 1 || probe->chip.board->channels == 1;

	if ((setup[0] & 0x60) != 0x40)
		return -EPIPE;
	if ((setup[0] & 0x80) != 0) {
		memset(data, 0xFF, capacity);
		if (setup[1] == GET_LATENCY && capacity > 0)
			data[0] = (uint8_t)probe->latency;
		return setup[1] == GET_STATUS || setup[1] == READ_EEPROM ? device_copy(data, 2, data, capacity)
		                                                         : device_copy(data, 1, data, capacity);
	}
	if (!is_ours)
		return 0;
	if (setup[1] == RESET && value != PURGE_ANSWERS)
		probe->chip.received = 0;
	if (setup[1] == RESET && value != PURGE_RECEIVED)
		probe->chip.answer_count = 0;
	if (setup[1] == SET_LATENCY)
		probe->latency = value;
	if (setup[1] == SET_MODE)
		ftdi_chip_set_mode(&probe->chip, value >> 8 == MODE_MPSSE);
	return 0;
}

static bool clear_halt(struct device *device, uint8_t endpoint)
{
	if (endpoint & 0x80)
		probe_of(device)->is_halted = false;
	else
		probe_of(device)->is_out_halted = false;
	return true;
}

static bool is_mute(const struct probe *probe)
{
	return probe->is_silent || (probe->mute != 0 && probe->answers >= probe->mute);
}

/* The chip was requested to send what it has. */
static void spoil(struct probe *probe)
{
	struct ftdi_chip *chip = &probe->chip;
	const unsigned number = ++probe->answers;

	probe->answered_at = device_now() + probe->slow;
	for (size_t i = 0; setup_is_due(probe->lie, number) && i < 2 && i < chip->answer_count; i++)
		chip->answers[i] = 0xFF;
	if (setup_is_due(probe->shorten, number))
		chip->answer_count /= 2;
	if (setup_is_due(probe->lengthen, number)) {
		memset(chip->answers + chip->answer_count, 0xFF, 64);
		chip->answer_count += 64;
	}
	if (setup_is_due(probe->lose, number) || is_mute(probe))
		chip->answer_count = 0;
	if (probe->unplug_after != 0 && number >= probe->unplug_after)
		probe->device.is_gone = true;
	probe->is_out_halted = setup_is_due(probe->stall_out, number);
}

static int receive_bytes(struct device *device, uint8_t endpoint, const uint8_t *bytes, size_t size, bool ends)
{
	struct probe *probe = probe_of(device);
	size_t count = 0;

	(void)ends;
	if (device->is_gone)
		return -ENODEV;
	if (endpoint != 2 * probe->chip.board->channel + 2)
		return (int)size;
	if (probe->is_out_halted)
		return -EPIPE;
	if (is_mute(probe))
		return DEVICE_NOT_NOW;
	while (count < size && !probe->is_out_halted && !device->is_gone &&
	       ftdi_chip_receive(&probe->chip, bytes[count])) {
		count++;
		if (probe->chip.flushes > probe->answers)
			spoil(probe);
	}
	return count > 0 ? (int)count : DEVICE_NOT_NOW;
}

/* Whether the endpoint is halted, once before each answer with the fault. */
static bool stalls(struct probe *probe)
{
	if (!probe->is_halted && setup_is_due(probe->stall, probe->answers) && probe->stalled_at != probe->answers) {
		probe->stalled_at = probe->answers;
		probe->is_halted = true;
	}
	return probe->is_halted;
}

/* Appends a packet with this number of bytes of answers. */
static void send_packet(struct probe *probe, uint8_t *bytes, int *size, size_t count)
{
	struct ftdi_chip *chip = &probe->chip;

	bytes[(*size)++] = 0x32;
	bytes[(*size)++] = 0x60;
	memcpy(bytes + *size, chip->answers, count);
	*size += (int)count;
	chip->answer_count -= count;
	memmove(chip->answers, chip->answers + count, chip->answer_count);
	probe->sent_at = device_now();
}

/* A packet that is not full ends a transfer. The chip sends one after a flush, or when its latency timer expires. */
static int send_answers(struct device *device, uint8_t endpoint, uint8_t *bytes, size_t capacity)
{
	struct probe *probe = probe_of(device);
	struct ftdi_chip *chip = &probe->chip;
	const bool is_late = device_now() >= probe->sent_at + probe->latency;
	int size = 0;

	if (device->is_gone)
		return -ENODEV;
	if (endpoint != 0x80 + 2 * chip->board->channel + 1 || is_mute(probe) || device_now() < probe->answered_at)
		return DEVICE_NOT_NOW;
	if (stalls(probe))
		return -EPIPE;
	if (probe->stale > 0 || (probe->flood != 0 && probe->answers >= probe->flood)) {
		chip->answer_count = probe->stale > 0 ? (size_t)probe->stale : 4000;
		memset(chip->answers, 0xFF, chip->answer_count);
		probe->stale = 0;
		chip->is_flushed = true;
	}
	while (chip->answer_count >= PACKET - STATUS_BYTES && capacity - (size_t)size >= PACKET)
		send_packet(probe, bytes, &size, PACKET - STATUS_BYTES);
	if (capacity - (size_t)size >= PACKET && chip->answer_count < PACKET &&
	    (chip->is_flushed || (size == 0 && is_late))) {
		chip->is_flushed = false;
		send_packet(probe, bytes, &size, chip->answer_count);
	}
	probe->transfers += size > STATUS_BYTES;
	return size > 0 ? size : DEVICE_NOT_NOW;
}

static void plug_in(struct device *device)
{
	struct probe *probe = probe_of(device);

	probe->unplug_after = 0;
	device->is_gone = probe->is_halted = probe->is_out_halted = false;
	ftdi_chip_set_mode(&probe->chip, false);
}

static void stop(struct device *device)
{
	struct probe *probe = probe_of(device);
	const struct ftdi_chip *chip = &probe->chip;
	FILE *file = probe->counts_path != NULL ? fopen(probe->counts_path, "w") : NULL;

	if (file != NULL) {
		swd_print_counts(chip->target, file);
		fprintf(file, "answers %u\ntransfers %u\nviolations %u\nkilohertz %u\nconnected %d\n", probe->answers,
		        probe->transfers, chip->violations, chip->divisor != 0 ? 30000 / chip->divisor : 0,
		        chip->is_mpsse);
		fclose(file);
	}
	swd_close(chip->target);
}

static const struct device_ops probe_ops = {
        .control = control,
        .send = send_answers,
        .receive = receive_bytes,
        .clear_halt = clear_halt,
        .plug_in = plug_in,
        .stop = stop,
};

const char device_usage[] = "[OPTION]... [TARGET]... --";

static struct probe *create(void)
{
	struct probe *probe = calloc(1, sizeof *probe);

	if (probe == NULL)
		abort();
	probe->device = (struct device){.ops = &probe_ops, .strings = {NULL, "Example", NULL, "FT77"}, .input = -1};
	probe->kind_name = "ft2232h";
	probe->wires = "swd";
	probe->latency = 16;
	probe->stated_packet = PACKET;
	return probe;
}

static void describe(struct probe *probe)
{
	const struct ftdi_board *board = probe->chip.board;
	const unsigned size = CONFIGURATION_SIZE + board->channels * INTERFACE_SIZE;
	const uint8_t configuration[] = {9, 2, WORD(size), (uint8_t)board->channels, 1, 0, 0x80, 250};
	uint8_t *next = probe->descriptors + DEVICE_DESCRIPTOR_SIZE;

	memcpy(next, configuration, sizeof configuration);
	next += sizeof configuration;
	for (unsigned i = 0; i < board->channels; i++) {
		const uint8_t interface[INTERFACE_SIZE] = {9,
		                                           4,
		                                           (uint8_t)i,
		                                           0,
		                                           2,
		                                           0xFF,
		                                           0xFF,
		                                           0xFF,
		                                           STRING_PRODUCT,
		                                           7,
		                                           5,
		                                           (uint8_t)(0x81 + 2 * i),
		                                           2,
		                                           WORD(probe->stated_packet),
		                                           0,
		                                           7,
		                                           5,
		                                           (uint8_t)(2 + 2 * i),
		                                           2,
		                                           WORD(probe->stated_packet),
		                                           0};

		memcpy(next, interface, sizeof interface);
		next += sizeof interface;
	}
	device_describe(&probe->device, probe->descriptors, board->vendor, board->product, board->release,
	                probe->descriptors + DEVICE_DESCRIPTOR_SIZE, size);
	probe->device.packet = PACKET;
	probe->device.interface = board->channel;
	probe->device.strings[STRING_PRODUCT] = board->product_name;
}

static int read_options(struct probe *probe, int argc, char **argv)
{
	const struct option_row rows[] = {
	        {"kind", OPTION_TEXT, &probe->kind_name},
	        {"wires", OPTION_TEXT, &probe->wires},
	        {"resistor", OPTION_FLAG, &probe->chip.has_resistor},
	        {"serial", OPTION_TEXT, &probe->device.strings[STRING_SERIAL]},
	        {"wire", OPTION_NUMBER, &probe->stated_packet},
	        {"counts", OPTION_TEXT, &probe->counts_path},
	        {"lose", OPTION_NUMBER, &probe->lose},
	        {"shorten", OPTION_NUMBER, &probe->shorten},
	        {"lengthen", OPTION_NUMBER, &probe->lengthen},
	        {"lie", OPTION_NUMBER, &probe->lie},
	        {"flood", OPTION_NUMBER, &probe->flood},
	        {"stall", OPTION_NUMBER, &probe->stall},
	        {"stall-out", OPTION_NUMBER, &probe->stall_out},
	        {"unplug-after", OPTION_NUMBER, &probe->unplug_after},
	        {"slow", OPTION_NUMBER, &probe->slow},
	        {"mute", OPTION_NUMBER, &probe->mute},
	        {"stale", OPTION_NUMBER, &probe->stale},
	};

	return options_read(rows, sizeof rows / sizeof rows[0], argc, argv);
}

struct device *device_open(int argc, char **argv, int *end)
{
	struct probe *probe = create();
	int first = read_options(probe, argc, argv), last = first;

	while (last < argc && strcmp(argv[last], "--") != 0)
		last++;
	probe->chip.board = ftdi_board_find(probe->kind_name);
	probe->chip.is_swd = strcmp(probe->wires, "swd") == 0;
	if (probe->chip.board == NULL || (!probe->chip.is_swd && strcmp(probe->wires, "jtag") != 0))
		return NULL;
	probe->chip.target = swd_open((const char *const *)argv + first, (size_t)(last - first));
	if (probe->chip.target == NULL)
		return NULL;
	describe(probe);
	*end = last + 1;
	return &probe->device;
}

struct device *device_open_twin(const struct device *device, const char *serial)
{
	struct probe *probe = create();

	probe->chip.board = ((const struct probe *)device)->chip.board;
	probe->device.strings[STRING_SERIAL] = serial;
	probe->is_silent = true;
	describe(probe);
	return &probe->device;
}
