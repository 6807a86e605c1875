/* SPDX-License-Identifier: MIT */
/*
 * Model of a debug probe with CMSIS-DAP, as a USB device: version 2 with bulk endpoints, version 1 as a HID (Arm,
 * "CMSIS-DAP", 2.1, "USB interface"). Its descriptors are in probe_usb.c, its firmware in cmsis_dap.c, and the target
 * on its wires in swd.c.
 *
 *	[OPTION]... [TARGET]... --
 *
 * TARGET is an option of swd.h. Options:
 *
 *	--v1            version 1
 *	--packet BYTES  size of a packet: 64 by default, as at full speed; 512, 1024
 *	--count N       packets that the probe can hold; 4 by default
 *	--serial NUMBER
 *	--vendor ID, --product ID, --release BCD
 *	                stated by the device descriptor; 0xcafe, 0x4011 and 0x0100 by default
 *	--counts FILE   at the end, write counts to FILE, each on a line NAME NUMBER; connected is 1 if the host did not
 *	                send DAP_Disconnect
 *
 * Faults of every Nth answer, unless stated otherwise:
 *
 *	--lose N          it is not sent, although the command was executed
 *	--shorten N       it ends after half its bytes
 *	--lie N           the two bytes after the command, mostly a count, are 0xff
 *	--mistake N       it names another command
 *	--stall N         the endpoint is halted before it
 *	--flood N         from there on, packets of 0xff are sent without request
 *	--unplug-after N  the probe is unplugged after N answers
 *	--slow MS         every answer takes this long
 *	--lengthen N      another packet of 0xff is appended
 *	--empty N         if it fills a transfer, an empty one follows
 *
 * Other faults:
 *
 *	--stale N       the first N answers are to an earlier program
 *	--wire BYTES    size of the endpoints' packets, as descriptors state it
 *	--unknown ID    the firmware is too old for the command with this number
 *	--in ADDRESS    address of the endpoint to the host, as descriptors state it
 *	--text BYTES    length of strings, as descriptors state it
 *
 * The probe executes a packet when the host fetches its answer.
 */
#include "../options/options.h"
#include "../usb/device.h"
#include "cmsis_dap.h"
#include "probe_usb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PACKET_MAX 1024
#define QUEUE_MAX  64

struct packet {
	size_t size;
	uint64_t received_at; /* milliseconds */
	uint8_t bytes[PACKET_MAX];
};

/* An answer, which is sent in as many transfers as it needs. */
struct answer {
	size_t size, sent;
	bool is_unfinished;
	uint8_t bytes[2 * PACKET_MAX];
};

struct probe {
	struct device device;
	struct cmsis_dap firmware;
	struct swd_target *target; /* NULL: the probe is silent */
	struct probe_usb usb;
	uint64_t packet_count;
	/* Faults, see above; 0: none. */
	uint64_t unknown, lose, shorten, lie, mistake, stall, flood, unplug_after, slow, lengthen, empty, stale;
	bool is_halted;
	const char *counts_path;

	struct packet queue[QUEUE_MAX]; /* the first is executed next */
	size_t queued;
	struct packet incoming; /* the part of a packet that the host has sent */
	struct answer answer;

	unsigned packets, answers, max_in_flight;
	unsigned stalled_at; /* number of the answer before which the endpoint was last halted */
};

static struct probe *probe_of(struct device *device)
{
	return (struct probe *)device;
}

static bool clear_halt(struct device *device, uint8_t endpoint)
{
	(void)endpoint;
	probe_of(device)->is_halted = false;
	return true;
}

static int control(struct device *device, const uint8_t setup[8], uint8_t *data, size_t capacity)
{
	const struct probe_usb *usb = &probe_of(device)->usb;

	switch (setup[0] << 8 | setup[1]) {
	case 0x8106: /* GET_DESCRIPTOR of an interface: HID 1.11, 7.1.1 */
		return usb->is_hid && setup[3] == 0x22 ? probe_usb_describe_reports(usb, data, capacity) : -EPIPE;
	case 0x210A: /* SET_IDLE: HID 1.11, 7.2.4 */
		return 0;
	default:
		return -EPIPE;
	}
}

static bool is_due(const struct probe *probe, uint64_t every)
{
	return every != 0 && probe->answers % every == 0;
}

/* All reports have the same size. */
static void pad_report(const struct probe *probe, struct answer *answer)
{
	if (probe->usb.is_hid && answer->size < probe->usb.packet)
		answer->size = probe->usb.packet;
}

static void spoil(const struct probe *probe, struct answer *answer)
{
	if (is_due(probe, probe->lie))
		for (size_t i = 1; i < 3 && i < answer->size; i++)
			answer->bytes[i] = 0xFF;
	if (is_due(probe, probe->mistake))
		answer->bytes[0] ^= 1;
	if (is_due(probe, probe->shorten))
		answer->size /= 2;
	else
		pad_report(probe, answer);
	if (is_due(probe, probe->lengthen)) {
		memset(answer->bytes + answer->size, 0xFF, probe->usb.packet);
		answer->size += probe->usb.packet;
	}
}

/* Whether all packets are queued commands, which are executed together with the next other command. */
static bool is_queueing(const struct probe *probe)
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
	return probe->flood != 0 && probe->answers >= probe->flood;
}

/* Halts the endpoint once before each answer with the fault. Returns whether it is halted. */
static bool stalls(struct probe *probe)
{
	const unsigned next = probe->answers + 1;

	if (!probe->is_halted && probe->stall != 0 && next % probe->stall == 0 && probe->stalled_at != next) {
		probe->stalled_at = next;
		probe->is_halted = true;
	}
	return probe->is_halted;
}

/* Sends as much of the answer as the transfer can hold. */
static int send_piece(struct probe *probe, uint8_t *bytes, size_t capacity)
{
	struct answer *answer = &probe->answer;
	int size = device_copy(answer->bytes + answer->sent, answer->size - answer->sent, bytes, capacity);

	answer->sent += (size_t)size;
	answer->is_unfinished =
	        answer->sent < answer->size || (is_due(probe, probe->empty) && size > 0 && (size_t)size == capacity);
	return size;
}

/* Sends an answer to an earlier program: the version of the protocol. */
static int send_stale(struct probe *probe, uint8_t *bytes, size_t capacity)
{
	probe->stale--;
	probe->answer = (struct answer){.size = 6, .bytes = {0x00, 4, '9', '.', '9', 0}};
	pad_report(probe, &probe->answer);
	return send_piece(probe, bytes, capacity);
}

static int send_flood(const struct probe *probe, uint8_t *bytes, size_t capacity)
{
	uint8_t flood[PACKET_MAX];

	memset(flood, 0xFF, sizeof flood);
	return device_copy(flood, probe->usb.packet, bytes, capacity);
}

static int send_answer(struct device *device, uint8_t endpoint, uint8_t *bytes, size_t capacity)
{
	struct probe *probe = probe_of(device);

	(void)endpoint;
	if (device->is_gone)
		return -ENODEV;
	if (probe->answer.is_unfinished)
		return send_piece(probe, bytes, capacity);
	if (is_flooding(probe))
		return send_flood(probe, bytes, capacity);
	if (probe->stale > 0)
		return send_stale(probe, bytes, capacity);
	if (is_queueing(probe) || device_now() - probe->queue[0].received_at < probe->slow)
		return DEVICE_NOT_NOW;
	if (stalls(probe))
		return -EPIPE;
	probe->answer = (struct answer){0};
	probe->answer.size = execute_first(probe, probe->answer.bytes);
	probe->answers++;
	device->is_gone = probe->unplug_after != 0 && probe->answers >= probe->unplug_after;
	if (is_due(probe, probe->lose))
		return DEVICE_NOT_NOW;
	spoil(probe, &probe->answer);
	return send_piece(probe, bytes, capacity);
}

static void receive_packet(struct probe *probe)
{
	struct packet *packet = &probe->incoming;

	probe->packets++;
	packet->received_at = device_now();
	if (packet->bytes[0] == CMSIS_DAP_TRANSFER_ABORT)
		probe->firmware.is_aborted = probe->queued > 0;
	else
		probe->queue[probe->queued++] = *packet;
	if (probe->queued > probe->max_in_flight)
		probe->max_in_flight = (unsigned)probe->queued;
	packet->size = 0;
}

/* A packet ends at the largest size, or with a short packet on the wire. */
static int receive_bytes(struct device *device, uint8_t endpoint, const uint8_t *bytes, size_t size, bool ends)
{
	struct probe *probe = probe_of(device);
	struct packet *incoming = &probe->incoming;
	size_t room = probe->usb.packet - incoming->size;
	size_t count = size < room ? size : room;

	(void)endpoint;
	if (device->is_gone)
		return -ENODEV;
	if (probe->target == NULL || probe->queued == probe->packet_count)
		return DEVICE_NOT_NOW;
	incoming->size += (size_t)device_copy(bytes, count, incoming->bytes + incoming->size, room);
	if (incoming->size == probe->usb.packet || (ends && count == size && incoming->size > 0))
		receive_packet(probe);
	return (int)count;
}

static void start_firmware(struct probe *probe)
{
	cmsis_dap_start(&probe->firmware, probe->target, probe->device.strings[STRING_SERIAL],
	                (unsigned)probe->usb.packet, (unsigned)probe->packet_count);
	probe->firmware.unknown = (unsigned)probe->unknown;
}

static void plug_in(struct device *device)
{
	struct probe *probe = probe_of(device);

	probe->unplug_after = 0;
	probe->is_halted = device->is_gone = probe->answer.is_unfinished = false;
	probe->queued = probe->incoming.size = 0;
	start_firmware(probe);
}

static void stop(struct device *device)
{
	struct probe *probe = probe_of(device);
	FILE *file = probe->counts_path != NULL ? fopen(probe->counts_path, "w") : NULL;

	if (file != NULL) {
		swd_print_counts(probe->target, file);
		fprintf(file, "packets %u\nanswers %u\nin-flight-most %u\nviolations %u\nconnected %d\n",
		        probe->packets, probe->answers, probe->max_in_flight, probe->firmware.violations,
		        probe->firmware.is_connected);
		fclose(file);
	}
	swd_close(probe->target);
}

static const struct device_ops probe_ops = {
        .control = control,
        .send = send_answer,
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
	*probe = (struct probe){
	        .device = {.ops = &probe_ops,
	                   .strings = {NULL, "Example", "Example probe CMSIS-DAP", "P77"},
	                   .input = -1},
	        .usb = {.packet = 64,
	                .vendor = 0xcafe,
	                .product = 0x4011,
	                .release = 0x0100,
	                .stated_packet = PROBE_USB_TRUE,
	                .stated_in = PROBE_USB_TRUE,
	                .stated_text = PROBE_USB_TRUE},
	        .packet_count = 4,
	};
	return probe;
}

/* Starts the probe after its options are known. */
static void start(struct probe *probe)
{
	probe->device.strings[STRING_INTERFACE] = probe->usb.is_hid ? "CMSIS-DAP v1" : "CMSIS-DAP v2";
	probe_usb_write(&probe->usb, &probe->device);
	start_firmware(probe);
}

static int read_options(struct probe *probe, int argc, char **argv)
{
	const struct option_row rows[] = {
	        {"v1", OPTION_FLAG, &probe->usb.is_hid},
	        {"packet", OPTION_NUMBER, &probe->usb.packet},
	        {"count", OPTION_NUMBER, &probe->packet_count},
	        {"serial", OPTION_TEXT, &probe->device.strings[STRING_SERIAL]},
	        {"vendor", OPTION_NUMBER, &probe->usb.vendor},
	        {"product", OPTION_NUMBER, &probe->usb.product},
	        {"release", OPTION_NUMBER, &probe->usb.release},
	        {"counts", OPTION_TEXT, &probe->counts_path},
	        {"lose", OPTION_NUMBER, &probe->lose},
	        {"shorten", OPTION_NUMBER, &probe->shorten},
	        {"lie", OPTION_NUMBER, &probe->lie},
	        {"mistake", OPTION_NUMBER, &probe->mistake},
	        {"stall", OPTION_NUMBER, &probe->stall},
	        {"flood", OPTION_NUMBER, &probe->flood},
	        {"unplug-after", OPTION_NUMBER, &probe->unplug_after},
	        {"slow", OPTION_NUMBER, &probe->slow},
	        {"lengthen", OPTION_NUMBER, &probe->lengthen},
	        {"empty", OPTION_NUMBER, &probe->empty},
	        {"stale", OPTION_NUMBER, &probe->stale},
	        {"unknown", OPTION_NUMBER, &probe->unknown},
	        {"wire", OPTION_NUMBER, &probe->usb.stated_packet},
	        {"in", OPTION_NUMBER, &probe->usb.stated_in},
	        {"text", OPTION_NUMBER, &probe->usb.stated_text},
	};

	return options_read(rows, sizeof rows / sizeof rows[0], argc, argv);
}

struct device *device_open(int argc, char **argv, int *end)
{
	struct probe *probe = create();
	int first = read_options(probe, argc, argv), last = first;

	if (probe->usb.packet < 8 || probe->usb.packet > PACKET_MAX || probe->packet_count == 0 ||
	    probe->packet_count > QUEUE_MAX)
		return NULL;
	while (last < argc && strcmp(argv[last], "--") != 0)
		last++;
	probe->target = swd_open((const char *const *)argv + first, (size_t)(last - first));
	if (probe->target == NULL)
		return NULL;
	start(probe);
	*end = last + 1;
	return &probe->device;
}

struct device *device_open_twin(const struct device *device, const char *serial)
{
	struct probe *probe = create();

	probe->usb.is_hid = ((const struct probe *)device)->usb.is_hid;
	probe->device.strings[STRING_SERIAL] = serial;
	start(probe);
	return &probe->device;
}
