/* SPDX-License-Identifier: MIT */
/*
 * Model of an ST-Link as a USB device. Its firmware is in stlink_firmware.c, and the target on its wires in swd.c.
 *
 *	[OPTION]... [TARGET]... --
 *
 * TARGET is an option of swd.h. Options:
 *
 *	--kind NAME     v1, v2, v2-1 or v3: the USB device; v2-1 by default
 *	--release N     of the firmware's debug part: 37 for J37; by default 37, or 7 for v3
 *	--product ID    0x374b for v2-1 by default
 *	--serial NUMBER may be raw bytes
 *	--mode N        initially: 0 DFU, 1 mass storage (the default), 2 debug, 3 SWIM, 4 boot loader
 *	--re-enumerate  the device is unplugged when it leaves DFU; it comes back in mode 1
 *	--retries N     of an access that the target answers with WAIT, before the host learns of it; 100 by default
 *	--counts FILE   at the end, write counts to FILE, each on a line NAME NUMBER; connected is 1 if the host left it
 *	                in debug mode
 *
 * Faults of every Nth answer, unless stated otherwise:
 *
 *	--lose N          it is not sent, although the command was executed
 *	--shorten N       it ends after half its bytes
 *	--stall N         the endpoint is halted before it
 *	--stall-out N     the endpoint from the host is halted before every Nth command
 *	--unplug-after N  the probe is unplugged after N answers
 *	--slow MS         every answer takes this long
 *	--lengthen N      64 bytes of 0xff follow
 *	--empty 1         an empty packet follows an answer of whole packets
 *	--lie N           the status in every Nth answer with a status is CODE
 *	--code CODE       0x55 by default, which no firmware sends
 *	--mute N          from the Nth answer on nothing is sent, and then no command is accepted
 *	--stale N         N bytes of an answer to an earlier program are sent first
 */
#include "../options/options.h"
#include "../usb/device.h"
#include "setup.h"
#include "stlink_firmware.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORD(value) DEVICE_WORD(value)

/* USB 2.0, 9.6.3, 9.6.5 and 9.6.6. */
#define CONFIGURATION(size, interfaces) 9, 2, WORD(size), interfaces, 1, 0, 0x80, 50
#define INTERFACE(number, endpoints, class, sub, protocol, string) \
	9, 4, number, 0, endpoints, class, sub, protocol, string
#define ENDPOINT(address, packet) 7, 5, address, 2, WORD(packet), 0

static const uint8_t configuration_of_1[] = {CONFIGURATION(9 + 9 + 2 * 7, 1),
                                             INTERFACE(0, 2, 8, 6, 0x50, STRING_INTERFACE), ENDPOINT(0x81, 64),
                                             ENDPOINT(0x02, 64)};
static const uint8_t configuration_of_2[] = {CONFIGURATION(9 + 9 + 3 * 7, 1),
                                             INTERFACE(0, 3, 0xFF, 0xFF, 0xFF, STRING_INTERFACE), ENDPOINT(0x81, 64),
                                             ENDPOINT(0x02, 64), ENDPOINT(0x83, 64)};
/* With mass storage. */
static const uint8_t configuration_of_2_1[] = {CONFIGURATION(9 + 9 + 3 * 7 + 9 + 2 * 7, 2),
                                               INTERFACE(0, 3, 0xFF, 0xFF, 0xFF, STRING_INTERFACE),
                                               ENDPOINT(0x81, 64),
                                               ENDPOINT(0x01, 64),
                                               ENDPOINT(0x82, 64),
                                               INTERFACE(1, 2, 8, 6, 0x50, 0),
                                               ENDPOINT(0x83, 64),
                                               ENDPOINT(0x03, 64)};
/* With a bridge to other buses. */
static const uint8_t configuration_of_3[] = {CONFIGURATION(9 + 9 + 3 * 7 + 9 + 2 * 7, 2),
                                             INTERFACE(0, 3, 0xFF, 0xFF, 0xFF, STRING_INTERFACE),
                                             ENDPOINT(0x81, 512),
                                             ENDPOINT(0x01, 512),
                                             ENDPOINT(0x82, 512),
                                             INTERFACE(1, 2, 0xFF, 0xFF, 0xFF, 0),
                                             ENDPOINT(0x86, 512),
                                             ENDPOINT(0x06, 512)};

static const struct kind {
	const char *name, *product_name, *interface_name;
	uint64_t product, hardware, release;
	unsigned packet;
	const uint8_t *configuration;
	size_t size;
} kinds[] = {
        {"v1", "STM32 STLink", "ST Link", 0x3744, 1, 13, 64, configuration_of_1, sizeof configuration_of_1},
        {"v2", "STM32 STLink", "ST Link", 0x3748, 2, 37, 64, configuration_of_2, sizeof configuration_of_2},
        {"v2-1", "STM32 STLink", "ST-Link Debug", 0x374b, 2, 37, 64, configuration_of_2_1, sizeof configuration_of_2_1},
        {"v3", "STLINK-V3", "ST-Link Debug", 0x374f, 3, 7, 512, configuration_of_3, sizeof configuration_of_3},
};
#define KINDS (sizeof kinds / sizeof kinds[0])

#define UNSET UINT64_MAX

struct probe {
	struct device device;
	const struct kind *kind;
	struct stlink_firmware firmware;
	uint8_t descriptors[DEVICE_DESCRIPTOR_SIZE + 128];
	const char *kind_name, *counts_path;
	uint64_t mode;
	bool re_enumerates, ends_with_empty_packet;
	/* Faults, see above; 0: none. */
	uint64_t lose, shorten, stall, stall_out, unplug_after, slow, lengthen, empty, lie, code, mute, stale;

	bool is_silent; /* a twin */
	bool is_halted, is_out_halted;
	uint8_t incoming[STLINK_ANSWER_MAX]; /* the part of a command or its data that the host has sent */
	size_t received;
	bool has_answer;
	size_t sent; /* of the answer */
	uint64_t answered_at;
	unsigned commands, answers, statuses, stalled_at, out_stalled_at;
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

/* To be called when the firmware has executed a command with an answer. */
static void spoil(struct probe *probe)
{
	struct stlink_firmware *firmware = &probe->firmware;

	probe->answers++;
	if (firmware->has_status && setup_is_due(probe->lie, ++probe->statuses)) {
		firmware->answer[0] = (uint8_t)probe->code;
		firmware->answer[1] = (uint8_t)(probe->code >> 8);
	}
	if (setup_is_due(probe->shorten, probe->answers))
		firmware->answer_size /= 2;
	if (setup_is_due(probe->lengthen, probe->answers)) {
		memset(firmware->answer + firmware->answer_size, 0xFF, 64);
		firmware->answer_size += 64;
	}
	probe->has_answer = !setup_is_due(probe->lose, probe->answers) && !is_mute(probe);
}

static void execute(struct probe *probe)
{
	struct stlink_firmware *firmware = &probe->firmware;

	if (firmware->expected > 0) {
		stlink_take_data(firmware, probe->incoming);
	} else {
		probe->commands++;
		stlink_execute(firmware, probe->incoming);
	}
	probe->received = 0;
	probe->sent = 0;
	probe->answered_at = device_now() + probe->slow;
	if (firmware->answer_size > 0)
		spoil(probe);
	if ((probe->re_enumerates && firmware->has_left_dfu) ||
	    (probe->unplug_after != 0 && probe->answers >= probe->unplug_after))
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

/* The firmware handles one command at a time: it accepts the next one after its answer was fetched. */
static int receive_bytes(struct device *device, uint8_t endpoint, const uint8_t *bytes, size_t size, bool ends)
{
	struct probe *probe = probe_of(device);
	size_t wanted = probe->firmware.expected > 0 ? probe->firmware.expected : STLINK_COMMAND_SIZE;

	(void)endpoint;
	if (device->is_gone)
		return -ENODEV;
	if (stalls_out(probe))
		return -EPIPE;
	if (probe->has_answer || probe->stale > 0 || is_mute(probe))
		return DEVICE_NOT_NOW;
	size_t count = size < wanted - probe->received ? size : wanted - probe->received;
	memcpy(probe->incoming + probe->received, bytes, count);
	probe->received += count;
	if (probe->received < wanted && ends) {
		probe->firmware.violations++;
		probe->received = 0;
	}
	/* A transfer must end with a command or its data. */
	probe->firmware.violations += count < size;
	if (probe->received == wanted)
		execute(probe);
	return (int)size;
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

static int send_stale(struct probe *probe, uint8_t *bytes, size_t capacity)
{
	uint8_t stale[STLINK_ANSWER_MAX];
	size_t size = probe->stale < capacity ? (size_t)probe->stale : capacity;

	memset(stale, 0xFF, sizeof stale);
	probe->stale -= size;
	return device_copy(stale, size, bytes, capacity);
}

/* A transfer with room for more than an answer of whole packets does not end, unless an empty packet follows. */
static int send_answer(struct device *device, uint8_t endpoint, uint8_t *bytes, size_t capacity)
{
	struct probe *probe = probe_of(device);
	struct stlink_firmware *firmware = &probe->firmware;

	if (device->is_gone)
		return -ENODEV;
	if ((endpoint & 0x7F) != 1)
		return DEVICE_NOT_NOW;
	if (probe->stale > 0)
		return send_stale(probe, bytes, capacity);
	if (probe->ends_with_empty_packet) {
		probe->ends_with_empty_packet = false;
		return 0;
	}
	if (!probe->has_answer || device_now() < probe->answered_at)
		return DEVICE_NOT_NOW;
	if (stalls(probe))
		return -EPIPE;
	size_t left = firmware->answer_size - probe->sent;
	if (left < capacity && left % device->packet == 0 && probe->empty == 0)
		return DEVICE_NOT_NOW;
	int size = device_copy(firmware->answer + probe->sent, left, bytes, capacity);
	probe->sent += (size_t)size;
	probe->has_answer = probe->sent < firmware->answer_size;
	probe->ends_with_empty_packet = probe->empty != 0 && left == capacity;
	return size;
}

static void plug_in(struct device *device)
{
	struct probe *probe = probe_of(device);

	probe->unplug_after = 0;
	device->is_gone = probe->has_answer = probe->is_halted = false;
	probe->received = 0;
	probe->firmware.mode = STLINK_MASS;
	stlink_start(&probe->firmware);
}

static void stop(struct device *device)
{
	struct probe *probe = probe_of(device);
	const struct stlink_firmware *firmware = &probe->firmware;
	FILE *file = probe->counts_path != NULL ? fopen(probe->counts_path, "w") : NULL;

	if (file != NULL) {
		swd_print_counts(firmware->target, file);
		fprintf(file,
		        "commands %u\nanswers %u\nmemory-commands %u\nstatus-commands %u\nmemory-bytes %u\n"
		        "violations %u\nkilohertz %u\nconnected %d\n",
		        probe->commands, probe->answers, firmware->memory_commands, firmware->status_commands,
		        firmware->memory_bytes, firmware->violations, (unsigned)firmware->kilohertz,
		        firmware->mode == STLINK_DEBUG);
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
	probe->device = (struct device){
	        .ops = &probe_ops, .strings = {NULL, "Example", NULL, "066EFF323535474B43152839"}, .input = -1};
	probe->firmware.product = probe->firmware.release = UNSET;
	probe->firmware.wait_retries = 100;
	probe->kind_name = "v2-1";
	probe->mode = STLINK_MASS;
	probe->code = 0x55;
	return probe;
}

/* Starts the probe after its options are known. */
static void start(struct probe *probe)
{
	const struct kind *kind = probe->kind;
	struct stlink_firmware *firmware = &probe->firmware;

	if (firmware->product == UNSET)
		firmware->product = kind->product;
	if (firmware->release == UNSET)
		firmware->release = kind->release;
	firmware->hardware = kind->hardware;
	firmware->mode = (enum stlink_mode)probe->mode;
	device_describe(&probe->device, probe->descriptors, 0x0483, firmware->product, 0x100, kind->configuration,
	                kind->size);
	probe->device.packet = kind->packet;
	probe->device.strings[STRING_PRODUCT] = kind->product_name;
	probe->device.strings[STRING_INTERFACE] = kind->interface_name;
	stlink_start(firmware);
}

static int read_options(struct probe *probe, int argc, char **argv)
{
	const struct option_row rows[] = {
	        {"kind", OPTION_TEXT, &probe->kind_name},
	        {"release", OPTION_NUMBER, &probe->firmware.release},
	        {"product", OPTION_NUMBER, &probe->firmware.product},
	        {"serial", OPTION_TEXT, &probe->device.strings[STRING_SERIAL]},
	        {"mode", OPTION_NUMBER, &probe->mode},
	        {"re-enumerate", OPTION_FLAG, &probe->re_enumerates},
	        {"retries", OPTION_NUMBER, &probe->firmware.wait_retries},
	        {"counts", OPTION_TEXT, &probe->counts_path},
	        {"lose", OPTION_NUMBER, &probe->lose},
	        {"shorten", OPTION_NUMBER, &probe->shorten},
	        {"stall", OPTION_NUMBER, &probe->stall},
	        {"stall-out", OPTION_NUMBER, &probe->stall_out},
	        {"unplug-after", OPTION_NUMBER, &probe->unplug_after},
	        {"slow", OPTION_NUMBER, &probe->slow},
	        {"lengthen", OPTION_NUMBER, &probe->lengthen},
	        {"empty", OPTION_NUMBER, &probe->empty},
	        {"lie", OPTION_NUMBER, &probe->lie},
	        {"code", OPTION_NUMBER, &probe->code},
	        {"mute", OPTION_NUMBER, &probe->mute},
	        {"stale", OPTION_NUMBER, &probe->stale},
	};

	return options_read(rows, sizeof rows / sizeof rows[0], argc, argv);
}

struct device *device_open(int argc, char **argv, int *end)
{
	struct probe *probe = create();
	int first = read_options(probe, argc, argv), last = first;

	for (size_t i = 0; i < KINDS; i++)
		if (strcmp(kinds[i].name, probe->kind_name) == 0)
			probe->kind = &kinds[i];
	while (last < argc && strcmp(argv[last], "--") != 0)
		last++;
	if (probe->kind == NULL || probe->mode > STLINK_BOOTLOADER)
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
