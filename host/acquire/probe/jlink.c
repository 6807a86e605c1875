/* SPDX-License-Identifier: MIT */
/*
 * The backend for J-Links, which move the bits of SWD or JTAG. libjaylink sends the commands of SEGGER's RM08001
 * ("J-Link USB Protocol") and decodes their answers. Its version 0.3.1 waits up to two seconds for each USB transfer,
 * and nothing can interrupt that. It does not report devices that it cannot open, so our own USB functions find the
 * probe first.
 */
#include "acquire/dap/pins.h"
#include "acquire/probe/probe_target.h"
#include "acquire/target/target.h"
#include "acquire/usb/attached.h"
#include "acquire/usb/interface.h"
#include "acquire/usb/packets.h"
#include "base/wait.h"

#include <libjaylink/libjaylink.h>
#include <libusb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Maximum bytes of bits in a command. With its status byte, an answer then fits into the 2048 bytes that libjaylink
 * receives at once. It is not a whole number of USB packets either, which would need an empty packet at the end. */
#define SHIFT_BYTES_MAX 2032u
#define SHIFT_BYTES_MIN 64u
/* A command takes twice the memory of its bits in the probe, plus this much (OpenOCD, jlink.c). */
#define SHIFT_OVERHEAD 16u

/* In kHz; larger numbers are special values. */
#define KILOHERTZ_MAX (JAYLINK_SPEED_ADAPTIVE_CLOCKING - 1u)

/* From this hardware version on, JTAG commands have a status (RM08001, 5.5.12). */
#define MAJOR_WITH_STATUS 5

/* Maximum ports on the path to a USB device (USB 3.2, 10.2). */
#define USB_PORTS_MAX 7

/* Where a USB device is plugged in. */
struct usb_place {
	uint8_t bus, ports[USB_PORTS_MAX];
	int port_count;
};

struct jlink {
	struct pins pins;
	struct pins_ops ops; /* functions of one transport only */
	struct jaylink_context *context;
	struct jaylink_device_handle *probe; /* NULL: not open */
	uint8_t capabilities[JAYLINK_DEV_EXT_CAPS_SIZE];
	enum jaylink_jtag_version jtag_version;
	size_t shift_bytes_max;
	int cancel;
	bool is_lost;                 /* a command failed, and later answers might belong to it */
	struct error failure;         /* the command's error */
	bool is_reset_low;            /* the reset pin is, or may be, low */
	bool swdio_level;             /* level of SWDIO at the last falling edge */
	bool has_surplus;             /* libjaylink has reported an answer that was too long */
	char report[128];             /* libjaylink's first report since the command began; empty: none */
	uint8_t tdo[SHIFT_BYTES_MAX]; /* discarded */
};

static struct jlink *jlink_of(struct pins *pins)
{
	return (struct jlink *)pins;
}

/* Receives libjaylink's log, which would otherwise be printed. A warning at the beginning of a command shows that the
 * previous answer was too long. */
static int take_report(const struct jaylink_context *context, enum jaylink_log_level level, const char *format,
                       va_list arguments, void *user)
{
	static const char surplus[] = "Last read operation left ";
	struct jlink *jlink = user;

	(void)context;
	if (level > JAYLINK_LOG_LEVEL_WARNING)
		return 0;
	if (level == JAYLINK_LOG_LEVEL_WARNING && strncmp(format, surplus, sizeof surplus - 1) == 0)
		jlink->has_surplus = true;
	if (jlink->report[0] == 0)
		vsnprintf(jlink->report, sizeof jlink->report, format, arguments);
	return 0;
}

/* Explains a failure. Errors of libusb appear only in the report. */
static const char *jlink_reason(const struct jlink *jlink, int result)
{
	static const struct {
		const char *name, *text;
	} failures[] = {
	        {"LIBUSB_ERROR_NO_DEVICE", "the device was unplugged"},
	        {"LIBUSB_ERROR_PIPE", "the device refuses transfers (stall); plug it in again"},
	        {"LIBUSB_ERROR_BUSY", "cannot open it: another program uses it"},
	};

	for (size_t i = 0; i < sizeof failures / sizeof failures[0]; i++)
		if (strstr(jlink->report, failures[i].name) != NULL)
			return failures[i].text;
	switch (result) {
	case JAYLINK_ERR_TIMEOUT:
		return "no answer came in time; end any other program that uses the probe, or plug it in again";
	case JAYLINK_ERR_DEV_NO_MEMORY:
		return "the probe is out of memory; plug it in again";
	case JAYLINK_ERR_DEV:
	case JAYLINK_ERR_DEV_NOT_SUPPORTED:
	case JAYLINK_ERR_DEV_NOT_AVAILABLE:
		return "the probe refuses to move bits; plug it in again, or update its firmware";
	case JAYLINK_OK:
	case JAYLINK_ERR_PROTO:
		return "the probe's answers do not match the commands; end any other program that uses it, or plug it "
		       "in again";
	default:
		return jlink->report[0] != 0 ? jlink->report : jaylink_strerror(result);
	}
}

/* Before each command. */
static enum status begin_command(struct jlink *jlink, struct error *error)
{
	if (jlink->is_lost) {
		*error = jlink->failure;
		return STATUS_FAILED;
	}
	if (!wait_pause(0, jlink->cancel))
		return status_fail(error, "%s: interrupted", jlink->pins.source);
	jlink->report[0] = 0;
	return STATUS_OK;
}

/* After each command. */
static enum status check_result(struct jlink *jlink, int result, struct error *error)
{
	if (result == JAYLINK_OK && !jlink->has_surplus)
		return STATUS_OK;
	jlink->is_lost = true;
	status_fail(error, "%s: %s", jlink->pins.source, jlink_reason(jlink, result));
	jlink->failure = *error;
	return STATUS_FAILED;
}

/* Calls libjaylink, unless status is a failure. */
#define COMMAND(status, jlink, error, call)                          \
	do {                                                         \
		if ((status) == STATUS_OK)                           \
			(status) = begin_command(jlink, error);      \
		if ((status) == STATUS_OK)                           \
			(status) = check_result(jlink, call, error); \
	} while (0)

static size_t next_part(const struct jlink *jlink, size_t count, size_t done)
{
	const size_t max = jlink->shift_bytes_max * 8;

	return count - done < max ? count - done : max;
}

/* Shifts the samples to their places as if taken before the rising edge. A J-Link samples at the falling edge, when the
 * target has already changed SWDIO for the next clock (see the drivers of OpenOCD and probe-rs). */
static void delay_samples(struct jlink *jlink, uint8_t *in, size_t count)
{
	const bool last = in[(count - 1) / 8] >> (count - 1) % 8 & 1;
	uint8_t carry = jlink->swdio_level;

	for (size_t i = 0; i < (count + 7) / 8; i++) {
		const uint8_t next = in[i] >> 7;

		in[i] = (uint8_t)(in[i] << 1 | carry);
		carry = next;
	}
	jlink->swdio_level = last;
}

static enum status jlink_shift_swd(struct pins *pins, const uint8_t *bits, const uint8_t *direction, uint8_t *in,
                                   size_t count, struct error *error)
{
	struct jlink *jlink = jlink_of(pins);
	enum status status = STATUS_OK;

	for (size_t done = 0, part; status == STATUS_OK && done < count; done += part) {
		const size_t at = done / 8;

		part = next_part(jlink, count, done);
		COMMAND(status, jlink, error,
		        jaylink_swd_io(jlink->probe, direction + at, bits + at, in + at, (uint16_t)part));
	}
	if (status == STATUS_OK && count > 0)
		delay_samples(jlink, in, count);
	return status;
}

static enum status jlink_shift_jtag(struct pins *pins, const uint8_t *tms, const uint8_t *tdi, uint8_t *tdo,
                                    size_t count, struct error *error)
{
	struct jlink *jlink = jlink_of(pins);
	enum status status = STATUS_OK;

	for (size_t done = 0, part; status == STATUS_OK && done < count; done += part) {
		const size_t at = done / 8;

		part = next_part(jlink, count, done);
		COMMAND(status, jlink, error,
		        jaylink_jtag_io(jlink->probe, tms + at, tdi + at, tdo != NULL ? tdo + at : jlink->tdo,
		                        (uint16_t)part, jlink->jtag_version));
	}
	return status;
}

static bool has_capability(const struct jlink *jlink, enum jaylink_device_capability capability)
{
	return jaylink_has_cap(jlink->capabilities, capability);
}

static uint64_t divide_up(uint64_t number, uint64_t by)
{
	return (number + by - 1) / by;
}

/* The clock for a requested number of kHz: the probe divides its base frequency down to at most that (RM08001,
 * 5.3.2). */
static uint32_t clock_of(const struct jaylink_speed *base, uint64_t kilohertz)
{
	const uint64_t divider = divide_up(base->freq, kilohertz * 1000);

	return (uint32_t)(base->freq / (divider > base->div ? divider : base->div));
}

static uint64_t clamp_number(uint64_t number, uint64_t min, uint64_t max)
{
	return number < min ? min : number > max ? max : number;
}

static enum status jlink_set_speed(struct pins *pins, uint32_t *speed, struct error *error)
{
	struct jlink *jlink = jlink_of(pins);
	uint64_t kilohertz = clamp_number(*speed / 1000, 1, KILOHERTZ_MAX);
	struct jaylink_speed base = {.freq = 0};
	enum status status = STATUS_OK;

	if (has_capability(jlink, JAYLINK_DEV_CAP_GET_SPEEDS))
		COMMAND(status, jlink, error, jaylink_get_speeds(jlink->probe, &base));
	const bool is_known = base.freq != 0 && base.div != 0;
	if (is_known)
		kilohertz = clamp_number(divide_up(base.freq, (uint64_t)base.div * 1000), 1, kilohertz);
	COMMAND(status, jlink, error, jaylink_set_speed(jlink->probe, (uint16_t)kilohertz));
	*speed = is_known ? clock_of(&base, kilohertz) : (uint32_t)kilohertz * 1000;
	return status;
}

static enum status jlink_drive_reset(struct pins *pins, bool is_low, struct error *error)
{
	struct jlink *jlink = jlink_of(pins);
	enum status status = STATUS_OK;

	COMMAND(status, jlink, error, is_low ? jaylink_clear_reset(jlink->probe) : jaylink_set_reset(jlink->probe));
	jlink->is_reset_low |= is_low;
	if (status == STATUS_OK)
		jlink->is_reset_low = is_low;
	return status;
}

static void jlink_finish(struct pins *pins)
{
	jlink_of(pins)->cancel = -1;
}

static void jlink_close(struct pins *pins)
{
	struct jlink *jlink = jlink_of(pins);

	if (jlink->is_reset_low)
		jaylink_set_reset(jlink->probe);
	if (jlink->probe != NULL)
		jaylink_close(jlink->probe);
	if (jlink->context != NULL)
		jaylink_exit(jlink->context);
	free(jlink);
}

static const struct pins_ops jlink_ops = {
        .shift_swd = jlink_shift_swd,
        .shift_jtag = jlink_shift_jtag,
        .set_speed = jlink_set_speed,
        .drive_reset = jlink_drive_reset,
        .finish = jlink_finish,
        .close = jlink_close,
};

/* Finds the probe, checks that it is usable, and drops outstanding answers to an earlier program. */
static enum status find_probe(struct jlink *jlink, const struct usb_kind *kind, const struct usb_address *wanted,
                              struct usb_place *place, struct error *error)
{
	struct usb_attached attached;
	struct packets *packets;

	enum status status = usb_attached_find(kind, wanted, &attached, error);
	if (status != STATUS_OK)
		return status;
	place->bus = libusb_get_bus_number(attached.interface.device);
	place->port_count = libusb_get_port_numbers(attached.interface.device, place->ports, sizeof place->ports);
	usb_interface_source(&attached.interface, jlink->pins.source);
	status = bulk_open(&attached, &packets, error);
	if (status != STATUS_OK)
		return status;
	packets->cancel = jlink->cancel;
	packets_drain(packets);
	packets->ops->close(packets);
	return STATUS_OK;
}

static bool is_at(const struct jaylink_device *device, const struct usb_place *place)
{
	uint8_t bus, *ports;
	size_t count;

	if (jaylink_device_get_usb_bus_ports(device, &bus, &ports, &count) != JAYLINK_OK)
		return false;
	const bool is_same = bus == place->bus && place->port_count >= 0 && count == (size_t)place->port_count &&
	                     memcmp(ports, place->ports, count) == 0;
	free(ports);
	return is_same;
}

static enum status open_at(struct jlink *jlink, const struct usb_place *place, struct error *error)
{
	struct jaylink_device **devices, *device = NULL;
	size_t count;

	int result = jaylink_discovery_scan(jlink->context, JAYLINK_HIF_USB);
	if (result == JAYLINK_OK)
		result = jaylink_get_devices(jlink->context, &devices, &count);
	if (result != JAYLINK_OK)
		return check_result(jlink, result, error);
	for (size_t i = 0; i < count; i++)
		if (is_at(devices[i], place))
			device = devices[i];
	if (device != NULL)
		result = jaylink_open(device, &jlink->probe);
	jaylink_free_devices(devices, true);
	if (device != NULL)
		return check_result(jlink, result, error);
	return status_fail(error,
	                   "%s: libjaylink does not accept it as a J-Link; update libjaylink or the probe's firmware",
	                   jlink->pins.source);
}

static enum status open_probe(struct jlink *jlink, const struct usb_place *place, struct error *error)
{
	int result = jaylink_init(&jlink->context);

	if (result != JAYLINK_OK) {
		jlink->context = NULL;
		return check_result(jlink, result, error);
	}
	jaylink_log_set_callback(jlink->context, take_report, jlink);
	return open_at(jlink, place, error);
}

static enum status query_capabilities(struct jlink *jlink, struct error *error)
{
	enum status status = STATUS_OK;
	char *version = NULL;
	size_t length = 0;

	/* The result is unused, but all programs begin with this, and some probes depend on the order (OpenOCD,
	 * jlink.c). */
	COMMAND(status, jlink, error, jaylink_get_firmware_version(jlink->probe, &version, &length));
	if (status == STATUS_OK && length > 0)
		free(version);
	COMMAND(status, jlink, error, jaylink_get_caps(jlink->probe, jlink->capabilities));
	if (status == STATUS_OK && has_capability(jlink, JAYLINK_DEV_CAP_GET_EXT_CAPS))
		COMMAND(status, jlink, error, jaylink_get_extended_caps(jlink->probe, jlink->capabilities));
	return status;
}

static enum status query_hardware(struct jlink *jlink, struct error *error)
{
	struct jaylink_hardware_version version = {.major = 0};
	enum status status = STATUS_OK;

	if (has_capability(jlink, JAYLINK_DEV_CAP_GET_HW_VERSION))
		COMMAND(status, jlink, error, jaylink_get_hardware_version(jlink->probe, &version));
	jlink->jtag_version = version.major >= MAJOR_WITH_STATUS ? JAYLINK_JTAG_VERSION_3 : JAYLINK_JTAG_VERSION_2;
	return status;
}

static enum status query_memory(struct jlink *jlink, struct error *error)
{
	enum status status = STATUS_OK;
	uint32_t size;

	jlink->shift_bytes_max = SHIFT_BYTES_MAX;
	if (!has_capability(jlink, JAYLINK_DEV_CAP_GET_FREE_MEMORY))
		return STATUS_OK;
	COMMAND(status, jlink, error, jaylink_get_free_memory(jlink->probe, &size));
	if (status != STATUS_OK)
		return status;
	if (size < SHIFT_OVERHEAD + 2 * SHIFT_BYTES_MIN)
		return check_result(jlink, JAYLINK_ERR_DEV_NO_MEMORY, error);
	if ((size - SHIFT_OVERHEAD) / 2 < SHIFT_BYTES_MAX)
		jlink->shift_bytes_max = (size - SHIFT_OVERHEAD) / 2;
	return STATUS_OK;
}

static enum status query_voltage(struct jlink *jlink, unsigned *millivolts, struct error *error)
{
	struct jaylink_hardware_status state;
	enum status status = STATUS_OK;

	COMMAND(status, jlink, error, jaylink_get_hardware_status(jlink->probe, &state));
	if (status == STATUS_OK)
		*millivolts = state.target_voltage;
	return status;
}

/* A probe that cannot select an interface has only JTAG. */
static enum status select_interface(struct jlink *jlink, bool prefers_jtag, struct error *error)
{
	const uint32_t swd = 1u << JAYLINK_TIF_SWD, jtag = 1u << JAYLINK_TIF_JTAG;
	uint32_t interfaces = jtag;
	enum status status = STATUS_OK;

	if (has_capability(jlink, JAYLINK_DEV_CAP_SELECT_TIF))
		COMMAND(status, jlink, error, jaylink_get_available_interfaces(jlink->probe, &interfaces));
	if (status == STATUS_OK && !(interfaces & (swd | jtag)))
		return status_fail(error, "%s: the probe has neither SWD nor JTAG", jlink->pins.source);
	const bool is_jtag = prefers_jtag ? interfaces & jtag : !(interfaces & swd);
	if (has_capability(jlink, JAYLINK_DEV_CAP_SELECT_TIF))
		COMMAND(status, jlink, error,
		        jaylink_select_interface(jlink->probe, is_jtag ? JAYLINK_TIF_JTAG : JAYLINK_TIF_SWD, NULL));
	/* An earlier program may have left nTRST low. */
	if (is_jtag)
		COMMAND(status, jlink, error, jaylink_jtag_set_trst(jlink->probe));
	if (is_jtag)
		jlink->ops.shift_swd = NULL;
	else
		jlink->ops.shift_jtag = NULL;
	return status;
}

static enum status jlink_open(const struct usb_kind *kind, const struct usb_address *wanted, bool prefers_jtag,
                              int cancel, struct pins **pins, unsigned *millivolts, struct error *error)
{
	struct jlink *jlink = calloc(1, sizeof *jlink);
	struct usb_place place;

	if (jlink == NULL)
		return status_no_memory(error, kind->naming.scheme);
	jlink->ops = jlink_ops;
	jlink->pins.ops = &jlink->ops;
	jlink->cancel = cancel;
	jlink->swdio_level = true;
	enum status status = find_probe(jlink, kind, wanted, &place, error);
	if (status == STATUS_OK)
		status = open_probe(jlink, &place, error);
	if (status == STATUS_OK)
		status = query_capabilities(jlink, error);
	if (status == STATUS_OK)
		status = query_hardware(jlink, error);
	if (status == STATUS_OK)
		status = query_memory(jlink, error);
	if (status == STATUS_OK)
		status = query_voltage(jlink, millivolts, error);
	if (status == STATUS_OK)
		status = select_interface(jlink, prefers_jtag, error);
	if (status == STATUS_OK)
		*pins = &jlink->pins;
	else
		jlink_close(&jlink->pins);
	return status;
}

/* --- The row of the table of backends. */

/* A VTref too low for any target. */
#define MILLIVOLTS_MIN 1000u

static const enum usb_interface_type types[] = {USB_BULK_PAIR};

/* The ids that libjaylink 0.3.1 opens. Keep them in step with udev/70-bareprof-probes.rules. */
static const struct usb_known known[] = {
        {.vendor = 0x1366, .product = 0x0101},
        {.vendor = 0x1366, .product = 0x0102},
        {.vendor = 0x1366, .product = 0x0103},
        {.vendor = 0x1366, .product = 0x0104},
        {.vendor = 0x1366, .product = 0x0105},
        {.vendor = 0x1366, .product = 0x0107},
        {.vendor = 0x1366, .product = 0x0108},
        {.vendor = 0x1366, .product = 0x1010},
        {.vendor = 0x1366, .product = 0x1011},
        {.vendor = 0x1366, .product = 0x1012},
        {.vendor = 0x1366, .product = 0x1013},
        {.vendor = 0x1366, .product = 0x1014},
        {.vendor = 0x1366, .product = 0x1015},
        {.vendor = 0x1366, .product = 0x1016},
        {.vendor = 0x1366, .product = 0x1017},
        {.vendor = 0x1366, .product = 0x1018},
        {.vendor = 0x1366, .product = 0x1020},
        {.vendor = 0x1366, .product = 0x1051},
        {.vendor = 0x1366, .product = 0x1055},
        {.vendor = 0x1366, .product = 0x1061},
        {.vendor = 0},
};

const struct usb_kind jlink_usb = {
        .naming = {.scheme = "jlink", .by_serial = true},
        .name = "J-Link",
        .owns_ids = true,
        .pads_serials = true,
        .types = types,
        .type_count = sizeof types / sizeof types[0],
        .known = known,
        .no_such = "no such probe is attached; is its cable plugged in? bareprof devices lists what is attached",
        .no_interface = "that has the interface of a J-Link: vendor-specific, with bulk endpoints",
};

/* Adds a likely reason to a failure to connect. */
static enum status add_voltage(enum status status, unsigned millivolts, int cancel, struct error *error)
{
	struct error voltage = {.message = ""};

	if (status == STATUS_OK || millivolts >= MILLIVOLTS_MIN || !wait_pause(0, cancel))
		return status;
	status_fail(&voltage,
	            "the probe measures %u.%u V at VTref (pin 1): is the target powered, and that pin connected?",
	            millivolts / 1000, millivolts / 100 % 10);
	return status_add(status, error, &voltage);
}

static enum status jlink_open_target(struct target *target, const struct source *source,
                                     const struct target_setup *setup, struct error *error)
{
	struct target_setup probe;
	unsigned millivolts = 0;
	struct usb_address wanted;
	struct pins *pins = NULL;

	enum status status = probe_target_setup(source, setup, &probe, error);
	if (status == STATUS_OK)
		status = usb_address_parse(source->address, &jlink_usb.naming, &wanted, error);
	if (status == STATUS_OK)
		status = jlink_open(&jlink_usb, &wanted, setup->transport == TARGET_JTAG, setup->cancel, &pins,
		                    &millivolts, error);
	if (status != STATUS_OK)
		return status;
	status = probe_target_open_pins(target, &probe, pins, error);
	return add_voltage(status, millivolts, setup->cancel, error);
}

const struct target_ops backend_jlink = {
        .syntax = {.scheme = "jlink",
                   .synopsis = "[:SERIAL|:VID:PID[:SERIAL]][,timeout=SECONDS]",
                   .summary = "a J-Link, also on a board: the target keeps running",
                   .options = {"timeout"}},
        .capabilities = PROBE_TARGET_CAPABILITIES | TARGET_CAN_CHOOSE_TRANSPORT,
        .open = jlink_open_target,
        .usb = &jlink_usb,
        PROBE_TARGET_OPS,
};
