/* SPDX-License-Identifier: MIT */
/*
 * Model of a J-Link as a USB device. Its firmware is in jlink_firmware.c, and the target on its wires in swd.c.
 *
 *	[OPTION]... [TARGET]... --
 *
 * TARGET is an option of swd.h. Options:
 *
 *	--kind NAME        the USB device: v8, v9 with a serial port, ob on a board, with a serial port and storage (the
 *	                   default), v11 at high speed
 *	--product ID       0x1015 for ob by default
 *	--serial NUMBER
 *	--version TEXT, --hardware N, --caps MASK, --interfaces MASK, --memory BYTES, --base HERTZ, --divider N,
 *	--millivolts N     what its firmware reports, see jlink_firmware.h
 *	--counts FILE      at the end, write counts to FILE, each on a line NAME NUMBER; connected is 1 if the host left
 *	                   a connection registered or the reset pin low
 *
 * Faults of every Nth answer, unless stated otherwise:
 *
 *	--lose N           it is not sent, although the command was executed
 *	--shorten N        it ends after half its bytes
 *	--lengthen N       64 bytes of 0xff follow
 *	--lie N            its first two bytes are 0xff
 *	--refuse N         the status of every Nth shift is CODE, and nothing is clocked
 *	--code CODE        1 by default; 6 is out of memory
 *	--flood N          from then on, 0xff is sent endlessly
 *	--stall N          the endpoint is halted before it
 *	--stall-out N      the endpoint from the host is halted before every Nth command
 *	--unplug-after N   the probe is unplugged after N answers
 *	--slow MS          every answer takes this long
 *	--mute N           from the Nth answer on nothing is sent, and then no command is accepted
 *	--stale N          N bytes of an answer to an earlier program are sent first
 */
#include "../options/options.h"
#include "../usb/device.h"
#include "jlink_firmware.h"
#include "setup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORD(value) DEVICE_WORD(value)
#define VENDOR      0x1366

/* USB 2.0, 9.6.1, 9.6.3, 9.6.5 and 9.6.6; USB CDC 1.2, 5.2.3, and PSTN 1.2, 5.3. */
#define CONFIGURATION(size, interfaces) 9, 2, WORD(size), interfaces, 1, 0, 0x80, 50
#define INTERFACE(number, endpoints, class, sub, protocol, string) \
	9, 4, number, 0, endpoints, class, sub, protocol, string
#define ENDPOINT(address, type, packet) 7, 5, address, type, WORD(packet), (type) == 3 ? 10 : 0
#define BULK(address, packet)           ENDPOINT(address, 2, packet)
#define JLINK(number, in, out, packet) \
	INTERFACE(number, 2, 0xFF, 0xFF, 0xFF, STRING_INTERFACE), BULK(in, packet), BULK(out, packet)
#define JLINK_SIZE (9 + 2 * 7)
#define SERIAL(number, note, in, out, packet)                                                               \
	8, 11, number, 2, 2, 2, 1, 0, INTERFACE(number, 1, 2, 2, 1, 0), 5, 0x24, 0, 0x10, 1, 5, 0x24, 1, 0, \
	        (number) + 1, 4, 0x24, 2, 2, 5, 0x24, 6, number, (number) + 1, ENDPOINT(note, 3, 8),        \
	        INTERFACE((number) + 1, 2, 10, 0, 0, 0), BULK(in, packet), BULK(out, packet)
#define SERIAL_SIZE                      (8 + 9 + 5 + 5 + 4 + 5 + 7 + 9 + 2 * 7)
#define STORAGE(number, in, out, packet) INTERFACE(number, 2, 8, 6, 0x50, 0), BULK(in, packet), BULK(out, packet)
#define STORAGE_SIZE                     (9 + 2 * 7)

static const uint8_t configuration_of_8[] = {CONFIGURATION(9 + JLINK_SIZE, 1), JLINK(0, 0x81, 0x02, 64)};
static const uint8_t configuration_of_9[] = {CONFIGURATION(9 + SERIAL_SIZE + JLINK_SIZE, 3),
                                             SERIAL(0, 0x81, 0x82, 0x02, 64), JLINK(2, 0x83, 0x04, 64)};
static const uint8_t configuration_of_ob[] = {CONFIGURATION(9 + SERIAL_SIZE + STORAGE_SIZE + JLINK_SIZE, 4),
                                              SERIAL(0, 0x81, 0x82, 0x01, 64), STORAGE(2, 0x83, 0x02, 64),
                                              JLINK(3, 0x84, 0x03, 64)};
static const uint8_t configuration_of_11[] = {CONFIGURATION(9 + JLINK_SIZE + SERIAL_SIZE, 3), JLINK(0, 0x81, 0x01, 512),
                                              SERIAL(1, 0x83, 0x82, 0x02, 512)};

static const struct kind {
	const char *name, *version;
	uint64_t product, hardware;
	unsigned packet, interface;
	const uint8_t *configuration;
	size_t size;
} kinds[] = {
        {"v8", "J-Link ARM V8 compiled Nov 28 2014 13:44:46", 0x0101, 80000, 64, 0, configuration_of_8,
         sizeof configuration_of_8},
        {"v9", "J-Link V9 compiled May  7 2021 16:26:12", 0x0105, 90600, 64, 2, configuration_of_9,
         sizeof configuration_of_9},
        {"ob", "J-Link OB-SAM3U128-V2-NordicSem compiled Oct 30 2023 12:12:17", 0x1015, 10000, 64, 3,
         configuration_of_ob, sizeof configuration_of_ob},
        {"v11", "J-Link V11 compiled Dec 13 2022 11:14:50", 0x1020, 110000, 512, 0, configuration_of_11,
         sizeof configuration_of_11},
};
#define KINDS (sizeof kinds / sizeof kinds[0])

#define UNSET UINT64_MAX

struct probe {
	struct device device;
	const struct kind *kind;
	struct jlink_firmware firmware;
	uint8_t descriptors[DEVICE_DESCRIPTOR_SIZE + 160];
	const char *kind_name, *counts_path;
	uint64_t product;
	/* Faults, see above; 0: none. */
	uint64_t lose, shorten, lengthen, lie, flood, stall, stall_out, unplug_after, slow, mute, stale;

	bool is_silent; /* a twin */
	bool is_halted, is_out_halted;
	uint8_t incoming[JLINK_COMMAND_MAX]; /* the part of a command that the host has sent */
	size_t received;
	bool has_answer, ends_with_empty_packet;
	size_t sent; /* of the answer */
	uint64_t answered_at;
	unsigned commands, answers, transfers, stalled_at, out_stalled_at;
};

static struct probe *probe_of(struct device *device)
{
	return (struct probe *)device;
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

static bool is_flooding(const struct probe *probe)
{
	return probe->flood != 0 && probe->answers >= probe->flood;
}

/* To be called when the firmware has executed a command with an answer. */
static void spoil(struct probe *probe)
{
	struct jlink_firmware *firmware = &probe->firmware;
	const unsigned number = ++probe->answers;

	for (size_t i = 0; setup_is_due(probe->lie, number) && i < 2 && i < firmware->answer_size; i++)
		firmware->answer[i] = 0xFF;
	if (setup_is_due(probe->shorten, number))
		firmware->answer_size /= 2;
	if (setup_is_due(probe->lengthen, number)) {
		memset(firmware->answer + firmware->answer_size, 0xFF, 64);
		firmware->answer_size += 64;
	}
	probe->has_answer = !setup_is_due(probe->lose, number) && !is_mute(probe);
}

static void execute(struct probe *probe)
{
	probe->commands++;
	jlink_execute(&probe->firmware, probe->incoming);
	probe->received = 0;
	probe->sent = 0;
	probe->answered_at = device_now() + probe->slow;
	if (probe->firmware.answer_size > 0)
		spoil(probe);
	if (probe->unplug_after != 0 && probe->answers >= probe->unplug_after)
		probe->device.is_gone = true;
}

/* Whether the endpoint is halted, once before each command with the fault. */
static bool stalls_out(struct probe *probe)
{
	const unsigned next = probe->commands + 1;

	if (!probe->is_out_halted && setup_is_due(probe->stall_out, next) && probe->out_stalled_at != next) {
		probe->out_stalled_at = next;
		probe->is_out_halted = true;
	}
	return probe->is_out_halted;
}

/* The firmware handles one command at a time: it accepts the next one after its answer was fetched. A transfer may be
 * part of a command. */
static int receive_bytes(struct device *device, uint8_t endpoint, const uint8_t *bytes, size_t size, bool ends)
{
	struct probe *probe = probe_of(device);

	(void)endpoint;
	(void)ends;
	if (device->is_gone)
		return -ENODEV;
	if (stalls_out(probe))
		return -EPIPE;
	if (probe->has_answer || probe->stale > 0 || is_mute(probe))
		return DEVICE_NOT_NOW;
	size_t count = 0, wanted = 0;
	while (count < size && (wanted == 0 || probe->received < wanted)) {
		probe->incoming[probe->received++] = bytes[count++];
		wanted = jlink_command_size(probe->incoming, probe->received);
	}
	if (wanted != 0 && probe->received == wanted)
		execute(probe);
	return (int)count;
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

static int send_noise(uint64_t *left, uint8_t *bytes, size_t capacity)
{
	size_t size = *left < capacity ? (size_t)*left : capacity;

	memset(bytes, 0xFF, size);
	*left -= size;
	return (int)size;
}

/* A transfer ends with an answer or part of one, or where the host's request ends. */
static int send_part(struct probe *probe, uint8_t *bytes, size_t capacity)
{
	struct jlink_firmware *firmware = &probe->firmware;
	const size_t end = probe->sent < firmware->first_part && firmware->first_part < firmware->answer_size
	                           ? firmware->first_part
	                           : firmware->answer_size;
	int size = device_copy(firmware->answer + probe->sent, end - probe->sent, bytes, capacity);

	probe->transfers++;
	probe->sent += (size_t)size;
	probe->has_answer = probe->sent < firmware->answer_size;
	/* An answer of whole packets that fills the request is followed by an empty packet. */
	probe->ends_with_empty_packet = probe->sent == end && (size_t)size == capacity;
	return size;
}

static int send_answer(struct device *device, uint8_t endpoint, uint8_t *bytes, size_t capacity)
{
	struct probe *probe = probe_of(device);

	(void)endpoint;
	if (device->is_gone)
		return -ENODEV;
	if (probe->stale > 0)
		return send_noise(&probe->stale, bytes, capacity);
	if (is_flooding(probe))
		return send_noise(&(uint64_t){capacity}, bytes, capacity);
	if (probe->ends_with_empty_packet) {
		probe->ends_with_empty_packet = false;
		return 0;
	}
	if (!probe->has_answer || device_now() < probe->answered_at)
		return DEVICE_NOT_NOW;
	return stalls(probe) ? -EPIPE : send_part(probe, bytes, capacity);
}

static void plug_in(struct device *device)
{
	struct probe *probe = probe_of(device);

	probe->unplug_after = 0;
	device->is_gone = probe->has_answer = probe->is_halted = probe->ends_with_empty_packet = false;
	probe->received = 0;
	jlink_start(&probe->firmware);
}

static void stop(struct device *device)
{
	struct probe *probe = probe_of(device);
	const struct jlink_firmware *firmware = &probe->firmware;
	FILE *file = probe->counts_path != NULL ? fopen(probe->counts_path, "w") : NULL;

	if (file != NULL) {
		swd_print_counts(firmware->target, file);
		fprintf(file,
		        "commands %u\nanswers %u\ntransfers %u\nshifts %u\nviolations %u\nkilohertz %u\nhertz %u\n"
		        "connected %d\n",
		        probe->commands, probe->answers, probe->transfers, firmware->shifts, firmware->violations,
		        firmware->kilohertz, jlink_hertz(firmware),
		        firmware->connections > 0 || firmware->is_reset_low);
		fclose(file);
	}
	swd_close(firmware->target);
}

static const struct device_ops probe_ops = {
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
	probe->device =
	        (struct device){.ops = &probe_ops, .strings = {NULL, "Example", "J-Link", "000683123456"}, .input = -1};
	probe->kind_name = "ob";
	probe->product = UNSET;
	/* The hardware version, the configuration, speeds, memory, interfaces, connections, more capabilities. */
	probe->firmware = (struct jlink_firmware){.hardware = UNSET,
	                                          .capabilities = 0x88020A33,
	                                          .interfaces = 3,
	                                          .memory = 0x2000,
	                                          .base_hertz = 16000000,
	                                          .min_divider = 4,
	                                          .millivolts = 3300,
	                                          .code = 1};
	return probe;
}

/* Starts the probe after its options are known. */
static void start(struct probe *probe)
{
	const struct kind *kind = probe->kind;
	struct jlink_firmware *firmware = &probe->firmware;
	struct device *device = &probe->device;

	if (probe->product == UNSET)
		probe->product = kind->product;
	if (firmware->hardware == UNSET)
		firmware->hardware = kind->hardware;
	if (firmware->version == NULL)
		firmware->version = kind->version;
	device_describe(device, probe->descriptors, VENDOR, probe->product, 0x100, kind->configuration, kind->size);
	device->packet = kind->packet;
	device->interface = kind->interface;
	device->strings[STRING_INTERFACE] = "BULK interface";
	jlink_start(firmware);
}

static int read_options(struct probe *probe, int argc, char **argv)
{
	struct jlink_firmware *firmware = &probe->firmware;
	const struct option_row rows[] = {
	        {"kind", OPTION_TEXT, &probe->kind_name},
	        {"product", OPTION_NUMBER, &probe->product},
	        {"serial", OPTION_TEXT, &probe->device.strings[STRING_SERIAL]},
	        {"version", OPTION_TEXT, &firmware->version},
	        {"hardware", OPTION_NUMBER, &firmware->hardware},
	        {"caps", OPTION_NUMBER, &firmware->capabilities},
	        {"interfaces", OPTION_NUMBER, &firmware->interfaces},
	        {"memory", OPTION_NUMBER, &firmware->memory},
	        {"base", OPTION_NUMBER, &firmware->base_hertz},
	        {"divider", OPTION_NUMBER, &firmware->min_divider},
	        {"millivolts", OPTION_NUMBER, &firmware->millivolts},
	        {"counts", OPTION_TEXT, &probe->counts_path},
	        {"lose", OPTION_NUMBER, &probe->lose},
	        {"shorten", OPTION_NUMBER, &probe->shorten},
	        {"lengthen", OPTION_NUMBER, &probe->lengthen},
	        {"lie", OPTION_NUMBER, &probe->lie},
	        {"refuse", OPTION_NUMBER, &firmware->refuse},
	        {"code", OPTION_NUMBER, &firmware->code},
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

static const struct kind *find_kind(const char *name)
{
	for (size_t i = 0; i < KINDS; i++)
		if (strcmp(kinds[i].name, name) == 0)
			return &kinds[i];
	return NULL;
}

struct device *device_open(int argc, char **argv, int *end)
{
	struct probe *probe = create();
	int first = read_options(probe, argc, argv), last = first;

	probe->kind = find_kind(probe->kind_name);
	while (last < argc && strcmp(argv[last], "--") != 0)
		last++;
	if (probe->kind == NULL)
		return NULL;
	probe->firmware.target = swd_open((const char *const *)argv + first, (size_t)(last - first));
	if (probe->firmware.target == NULL)
		return NULL;
	start(probe);
	*end = last + 1;
	return &probe->device;
}

struct device *device_open_twin(const struct device *device, const char *serial)
{
	struct probe *probe = create();

	probe->kind = ((const struct probe *)device)->kind;
	probe->device.strings[STRING_SERIAL] = serial;
	probe->is_silent = true;
	start(probe);
	return &probe->device;
}
