/* SPDX-License-Identifier: MIT */
/*
 * A debug probe that speaks CMSIS-DAP, plugged in by USB: version 2 with bulk endpoints, version 1 as a HID (Arm,
 * "CMSIS-DAP", 2.1, "USB interface"). What it tells of itself is in probe_usb.c, what its firmware does is in
 * cmsis_dap.c, and what is on its wires in swd.c.
 *
 *	[OPTION]... [TARGET]... --
 *
 * TARGET is an option of swd.h. Options:
 *
 *	--v1            version 1
 *	--packet BYTES  of a packet: 64, as at full speed, is the usual; 512, 1024
 *	--count N       packets that wait in the probe, at most: 4 is the usual
 *	--serial NUMBER
 *	--vendor ID, --product ID, --release BCD
 *	                what the device descriptor says: 0xcafe, 0x4011 and 0x0100 are the usual
 *	--counts FILE   where to say at the end what was done, a line NAME NUMBER each; connected is 1 if the host
 *	                did not take its leave
 *
 * Faults, of every Nth answer if nothing else is said:
 *
 *	--lose N          it does not come, though what was asked for was done
 *	--shorten N       it ends after half its bytes
 *	--lie N           its first two bytes behind the command, mostly a count, are 0xff
 *	--mistake N       it is one to another command
 *	--stall N         the endpoint is halted before it comes
 *	--flood N         from there on packets of 0xff come, asked for or not
 *	--unplug-after N  answers
 *	--slow MS         each takes so long
 *	--lengthen N      it goes on with 0xff for as long as a packet may be
 *	--empty N         where it fills a transfer, an empty one comes behind it
 *
 * Other faults:
 *
 *	--stale N       so many answers to another program are still to be fetched
 *	--wire BYTES    what the descriptors say of the endpoints' packets
 *	--in ADDRESS    what they say of the endpoint to the host
 *	--text BYTES    what strings say of their length
 *
 * Answers are made when the host fetches them: packets wait as long as it has others to send.
 */
#include "../usb/device.h"
#include "cmsis_dap.h"
#include "probe_usb.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PACKET_MAX 1024
#define QUEUE_MAX  64

/* Options that are numbers. */
enum number {
	PACKET,
	COUNT,
	LOSE,
	SHORTEN,
	LIE,
	MISTAKE,
	STALL,
	FLOOD,
	UNPLUG,
	SLOW,
	LENGTHEN,
	EMPTY,
	STALE,
	WIRE,
	IN,
	TEXT,
	VENDOR,
	PRODUCT,
	RELEASE,
	NUMBERS
};
enum { OPTION_V1 = NUMBERS, OPTION_SERIAL, OPTION_COUNTS };

static const struct option long_options[] = {
        {"packet", required_argument, NULL, PACKET},
        {"count", required_argument, NULL, COUNT},
        {"lose", required_argument, NULL, LOSE},
        {"shorten", required_argument, NULL, SHORTEN},
        {"lie", required_argument, NULL, LIE},
        {"mistake", required_argument, NULL, MISTAKE},
        {"stall", required_argument, NULL, STALL},
        {"flood", required_argument, NULL, FLOOD},
        {"unplug-after", required_argument, NULL, UNPLUG},
        {"slow", required_argument, NULL, SLOW},
        {"lengthen", required_argument, NULL, LENGTHEN},
        {"empty", required_argument, NULL, EMPTY},
        {"stale", required_argument, NULL, STALE},
        {"wire", required_argument, NULL, WIRE},
        {"in", required_argument, NULL, IN},
        {"text", required_argument, NULL, TEXT},
        {"vendor", required_argument, NULL, VENDOR},
        {"product", required_argument, NULL, PRODUCT},
        {"release", required_argument, NULL, RELEASE},
        {"v1", no_argument, NULL, OPTION_V1},
        {"serial", required_argument, NULL, OPTION_SERIAL},
        {"counts", required_argument, NULL, OPTION_COUNTS},
        {NULL, 0, NULL, 0},
};

struct packet {
	size_t size;
	uint64_t taken_at; /* milliseconds */
	uint8_t bytes[PACKET_MAX];
};

/* What goes to the host, in as many transfers as it takes. */
struct answer {
	size_t size, sent;
	bool is_under_way;
	uint8_t bytes[2 * PACKET_MAX];
};

struct probe {
	struct device device;
	struct cmsis_dap firmware;
	struct swd_target *target; /* NULL: the probe is silent */
	unsigned numbers[NUMBERS];
	struct probe_usb usb;
	bool is_halted;
	const char *counts_path;

	struct packet queue[QUEUE_MAX]; /* the first is executed next */
	size_t queued;
	struct packet gathered; /* what of a packet from the host is there */
	struct answer answer;

	unsigned packets, answers, in_flight_most;
	unsigned stalled_at; /* the answer before which the endpoint was halted last */
};

static struct probe *probe_of(struct device *device)
{
	return (struct probe *)device;
}

static uint64_t now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

static bool clear_halt(struct device *device, uint8_t endpoint)
{
	(void)endpoint;
	probe_of(device)->is_halted = false;
	return true;
}

static int control(struct device *device, const uint8_t setup[8], uint8_t *data, size_t capacity)
{
	size_t length = (size_t)(setup[6] | setup[7] << 8);

	capacity = length < capacity ? length : capacity;
	switch (setup[0] << 8 | setup[1]) {
	case 0x8006: /* GET_DESCRIPTOR of the device, and of an interface: 9.4.3 */
	case 0x8106:
		return probe_usb_describe(&probe_of(device)->usb, device, setup[3], setup[2], data, capacity);
	case 0x8000: /* GET_STATUS, 9.4.5 */
		return probe_usb_copy((const uint8_t[]){0, 0}, 2, data, capacity);
	case 0x0201: /* CLEAR_FEATURE of an endpoint, 9.4.1 */
		return clear_halt(device, setup[4]) ? 0 : -EPIPE;
	case 0x0009: /* SET_CONFIGURATION */
	case 0x010B: /* SET_INTERFACE */
	case 0x210A: /* SET_IDLE: HID 1.11, 7.2.4 */
		return 0;
	default:
		return -EPIPE;
	}
}

static bool is_due(const struct probe *probe, enum number fault)
{
	return probe->numbers[fault] != 0 && probe->answers % probe->numbers[fault] == 0;
}

/* Reports have one size, whatever fills them. */
static void pad_report(const struct probe *probe, struct answer *answer)
{
	if (probe->usb.is_hid && answer->size < probe->numbers[PACKET])
		answer->size = probe->numbers[PACKET];
}

static void spoil(const struct probe *probe, struct answer *answer)
{
	if (is_due(probe, LIE))
		for (size_t i = 1; i < 3 && i < answer->size; i++)
			answer->bytes[i] = 0xFF;
	if (is_due(probe, MISTAKE))
		answer->bytes[0] ^= 1;
	if (is_due(probe, SHORTEN))
		answer->size /= 2;
	else
		pad_report(probe, answer);
	if (is_due(probe, LENGTHEN)) {
		memset(answer->bytes + answer->size, 0xFF, probe->numbers[PACKET]);
		answer->size += probe->numbers[PACKET];
	}
}

/* Commands that are put by are executed together with the first that is not. */
static bool is_put_by(const struct probe *probe)
{
	for (size_t i = 0; i < probe->queued; i++)
		if (probe->queue[i].bytes[0] != CMSIS_DAP_QUEUE)
			return false;
	return true;
}

static size_t execute_first(struct probe *probe, uint8_t *answer)
{
	struct packet *first = &probe->queue[0];

	if (first->bytes[0] == CMSIS_DAP_QUEUE)
		first->bytes[0] = CMSIS_DAP_EXECUTE;
	size_t size = cmsis_dap_execute(&probe->firmware, first->bytes, first->size, answer);
	probe->queued--;
	memmove(first, first + 1, probe->queued * sizeof *first);
	return size;
}

static bool is_flooding(const struct probe *probe)
{
	return probe->numbers[FLOOD] != 0 && probe->answers >= probe->numbers[FLOOD];
}

/* True if the endpoint is halted, which it is once before each answer that the fault is due for. */
static bool stalls(struct probe *probe)
{
	unsigned each = probe->numbers[STALL];

	if (!probe->is_halted && each != 0 && (probe->answers + 1) % each == 0 &&
	    probe->stalled_at != probe->answers + 1) {
		probe->stalled_at = probe->answers + 1;
		probe->is_halted = true;
	}
	return probe->is_halted;
}

/* As much of the answer as a transfer has room for. */
static int send_piece(struct probe *probe, uint8_t *bytes, size_t capacity)
{
	struct answer *answer = &probe->answer;
	int size = probe_usb_copy(answer->bytes + answer->sent, answer->size - answer->sent, bytes, capacity);

	answer->sent += (size_t)size;
	answer->is_under_way =
	        answer->sent < answer->size || (is_due(probe, EMPTY) && size > 0 && (size_t)size == capacity);
	return size;
}

/* To a program that is gone: the version of the protocol. */
static int send_stale(struct probe *probe, uint8_t *bytes, size_t capacity)
{
	probe->numbers[STALE]--;
	probe->answer = (struct answer){.size = 6, .bytes = {0x00, 4, '9', '.', '9', 0}};
	pad_report(probe, &probe->answer);
	return send_piece(probe, bytes, capacity);
}

static int send_flood(const struct probe *probe, uint8_t *bytes, size_t capacity)
{
	uint8_t flood[PACKET_MAX];

	memset(flood, 0xFF, sizeof flood);
	return probe_usb_copy(flood, probe->numbers[PACKET], bytes, capacity);
}

static int send_answer(struct device *device, uint8_t endpoint, uint8_t *bytes, size_t capacity)
{
	struct probe *probe = probe_of(device);

	(void)endpoint;
	if (device->is_gone)
		return -ENODEV;
	if (probe->answer.is_under_way)
		return send_piece(probe, bytes, capacity);
	if (is_flooding(probe))
		return send_flood(probe, bytes, capacity);
	if (probe->numbers[STALE] > 0)
		return send_stale(probe, bytes, capacity);
	if (is_put_by(probe) || now() - probe->queue[0].taken_at < probe->numbers[SLOW])
		return DEVICE_NOT_NOW;
	if (stalls(probe))
		return -EPIPE;
	probe->answer = (struct answer){0};
	probe->answer.size = execute_first(probe, probe->answer.bytes);
	probe->answers++;
	device->is_gone = probe->numbers[UNPLUG] != 0 && probe->answers >= probe->numbers[UNPLUG];
	if (is_due(probe, LOSE))
		return DEVICE_NOT_NOW;
	spoil(probe, &probe->answer);
	return send_piece(probe, bytes, capacity);
}

static void take_packet(struct probe *probe)
{
	struct packet *packet = &probe->gathered;

	probe->packets++;
	packet->taken_at = now();
	if (packet->bytes[0] == CMSIS_DAP_TRANSFER_ABORT)
		probe->firmware.is_aborted = probe->queued > 0;
	else
		probe->queue[probe->queued++] = *packet;
	if (probe->queued > probe->in_flight_most)
		probe->in_flight_most = (unsigned)probe->queued;
	packet->size = 0;
}

/* A packet ends where it is as long as packets may be, or with a short one on the wire. */
static int take_bytes(struct device *device, uint8_t endpoint, const uint8_t *bytes, size_t size, bool ends)
{
	struct probe *probe = probe_of(device);
	struct packet *gathered = &probe->gathered;
	size_t room = probe->numbers[PACKET] - gathered->size;
	size_t taken = size < room ? size : room;

	(void)endpoint;
	if (device->is_gone)
		return -ENODEV;
	if (probe->target == NULL || probe->queued == probe->numbers[COUNT])
		return DEVICE_NOT_NOW;
	if (taken > 0)
		memcpy(gathered->bytes + gathered->size, bytes, taken);
	gathered->size += taken;
	if (gathered->size == probe->numbers[PACKET] || (ends && taken == size && gathered->size > 0))
		take_packet(probe);
	return (int)taken;
}

static void start_firmware(struct probe *probe)
{
	cmsis_dap_start(&probe->firmware, probe->target, probe->device.serial, probe->numbers[PACKET],
	                probe->numbers[COUNT]);
}

static void plug_in(struct device *device)
{
	struct probe *probe = probe_of(device);

	probe->numbers[UNPLUG] = 0;
	probe->is_halted = device->is_gone = probe->answer.is_under_way = false;
	probe->queued = probe->gathered.size = 0;
	start_firmware(probe);
}

static void stop(struct device *device)
{
	struct probe *probe = probe_of(device);
	FILE *file = probe->counts_path != NULL ? fopen(probe->counts_path, "w") : NULL;

	if (file != NULL) {
		swd_print_counts(probe->target, file);
		fprintf(file, "packets %u\nanswers %u\nin-flight-most %u\nviolations %u\nconnected %d\n",
		        probe->packets, probe->answers, probe->in_flight_most, probe->firmware.violations,
		        probe->firmware.is_connected);
		fclose(file);
	}
	swd_close(probe->target);
}

static const struct device_ops probe_ops = {
        .control = control,
        .send = send_answer,
        .take = take_bytes,
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
	probe->device = (struct device){
	        .ops = &probe_ops, .product_name = "Example probe CMSIS-DAP", .serial = "P77", .input = -1};
	probe->numbers[PACKET] = 64;
	probe->numbers[COUNT] = 4;
	probe->numbers[VENDOR] = 0xcafe;
	probe->numbers[PRODUCT] = 0x4011;
	probe->numbers[RELEASE] = 0x0100;
	probe->numbers[WIRE] = probe->numbers[IN] = probe->numbers[TEXT] = PROBE_USB_TRUE;
	return probe;
}

/* What follows from the options. */
static void finish(struct probe *probe)
{
	probe->device.interface_name = probe->usb.is_hid ? "CMSIS-DAP v1" : "CMSIS-DAP v2";
	probe->device.vendor = (uint16_t)probe->numbers[VENDOR];
	probe->device.product = (uint16_t)probe->numbers[PRODUCT];
	probe->usb.packet = probe->numbers[PACKET];
	probe->usb.release = (uint16_t)probe->numbers[RELEASE];
	probe->usb.said_packet = probe->numbers[WIRE];
	probe->usb.said_in = probe->numbers[IN];
	probe->usb.said_text = probe->numbers[TEXT];
	probe_usb_write(&probe->usb, &probe->device);
	start_firmware(probe);
}

static bool take_options(struct probe *probe, int argc, char **argv)
{
	int option;

	while ((option = getopt_long(argc, argv, "+", long_options, NULL)) != -1)
		if (option < NUMBERS)
			probe->numbers[option] = (unsigned)strtoul(optarg, NULL, 0);
		else if (option == OPTION_V1)
			probe->usb.is_hid = true;
		else if (option == OPTION_SERIAL)
			probe->device.serial = optarg;
		else if (option == OPTION_COUNTS)
			probe->counts_path = optarg;
		else
			return false;
	return probe->numbers[PACKET] >= 8 && probe->numbers[PACKET] <= PACKET_MAX && probe->numbers[COUNT] > 0 &&
	       probe->numbers[COUNT] <= QUEUE_MAX;
}

struct device *device_open(int argc, char **argv, int *count)
{
	struct probe *probe = create();
	int words = 0;

	if (!take_options(probe, argc, argv))
		return NULL;
	/* Without a target, the end of the options was that of all. */
	if (strcmp(argv[optind - 1], "--") == 0)
		optind--;
	while (optind + words < argc && strcmp(argv[optind + words], "--") != 0)
		words++;
	probe->target = swd_open((const char *const *)argv + optind, (size_t)words);
	if (probe->target == NULL)
		return NULL;
	finish(probe);
	*count = optind + words + 1;
	return &probe->device;
}

struct device *device_open_twin(const struct device *device, const char *serial)
{
	struct probe *probe = create();

	probe->usb.is_hid = ((const struct probe *)device)->usb.is_hid;
	probe->device.serial = serial;
	finish(probe);
	return &probe->device;
}
