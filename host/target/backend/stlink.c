/* SPDX-License-Identifier: MIT */
/* The backend for ST-Link debug probes, over USB. */
#include "target/dap/stlink.h"
#include "base/wait.h"
#include "target/backend/dap_target.h"
#include "target/backend/target.h"
#include "target/channel/usb_devices.h"

#include <string.h>

/* Milliseconds for the probe to come back in another mode, and between attempts to find it. */
#define RETURN_TIME  5000
#define RETURN_PAUSE 100u

static const enum usb_interface_type types[] = {USB_BULK_PAIR, USB_STORAGE};

/* Keep in step with udev/70-bareprof-probes.rules. */
static const struct usb_known known[] = {
        {.vendor = 0x0483,
         .product = 0x3744,
         .refusal = "an ST-Link/V1 is not supported: use a debug server, st-util or OpenOCD"},
        {.vendor = 0x0483, .product = 0x3742}, /* V2-1 */
        {.vendor = 0x0483, .product = 0x3748}, /* V2; also others waiting for new firmware */
        {.vendor = 0x0483, .product = 0x374a}, /* V2-1 with audio */
        {.vendor = 0x0483, .product = 0x374b}, /* V2-1 with mass storage */
        {.vendor = 0x0483, .product = 0x374d}, /* V3 waiting for new firmware */
        {.vendor = 0x0483, .product = 0x374e}, /* V3E */
        {.vendor = 0x0483, .product = 0x374f}, /* V3SET */
        {.vendor = 0x0483, .product = 0x3752}, /* V2-1 without mass storage */
        {.vendor = 0x0483, .product = 0x3753}, /* V3 with two serial ports */
        {.vendor = 0x0483, .product = 0x3754}, /* V3 without mass storage */
        {.vendor = 0x0483, .product = 0x3755}, /* V3PWR waiting for new firmware */
        {.vendor = 0x0483, .product = 0x3757}, /* V3PWR */
        {.vendor = 0},
};

const struct usb_kind stlink_usb = {
        .naming = {.scheme = "stlink", .by_serial = true},
        .name = "ST-Link Debug",
        .owns_ids = true,
        .has_raw_serials = true,
        .types = types,
        .type_count = sizeof types / sizeof types[0],
        .known = known,
        .no_such = "no such probe is attached; is its cable plugged in? bareprof devices lists what is attached",
        .no_interface = "that has the interface of an ST-Link: vendor-specific, with bulk endpoints",
};

struct stlink_target {
	struct target target;
	struct stlink *stlink; /* NULL = not connected */
};

static struct stlink *of(struct target *target)
{
	return ((struct stlink_target *)target)->stlink;
}

static enum status list_probes(channel_device_found found, void *context, struct error *error)
{
	return usb_devices_list(&stlink_usb, found, context, error);
}

/* Reopens a probe that has disconnected; its ids differ in another mode. */
static enum status await_return(const char *serial, int cancel, uint64_t deadline, struct exchange **exchange,
                                struct error *error)
{
	struct usb_address wanted = {.names_device = false};

	memcpy(wanted.serial, serial, sizeof wanted.serial);
	for (;;) {
		bool was_interrupted = !wait_pause(RETURN_PAUSE, cancel);
		enum status status = exchange_open(&stlink_usb, &wanted, cancel, exchange, error);

		if (status == STATUS_OK || was_interrupted || clock_now() >= deadline)
			return status;
	}
}

/* Opens the probe and takes it out of DFU. It may still be found before it disconnects. */
static enum status open_exchange(const struct usb_address *wanted, int cancel, struct exchange **exchange,
                                 struct error *error)
{
	const uint64_t deadline = clock_now() + RETURN_TIME;
	char serial[sizeof wanted->serial];
	bool comes_back = false;

	enum status status = exchange_open(&stlink_usb, wanted, cancel, exchange, error);
	while (status == STATUS_OK) {
		const bool was_left = comes_back, is_late = clock_now() >= deadline;

		status = stlink_leave_dfu(*exchange, &comes_back, error);
		if (status == STATUS_OK && (!comes_back || is_late))
			break;
		memcpy(serial, (*exchange)->serial, sizeof serial);
		(*exchange)->ops->close(*exchange);
		if (status != STATUS_OK && (!was_left || is_late || !wait_pause(0, cancel)))
			break;
		comes_back = true;
		status = await_return(serial, cancel, deadline, exchange, error);
	}
	return status;
}

static enum status open_probe(struct target *target, const struct source *source, const struct target_setup *setup,
                              struct error *error)
{
	unsigned timeout = DAP_TARGET_TIMEOUT_DEFAULT;
	struct usb_address wanted;
	struct exchange *exchange;

	enum status status = source_milliseconds(source, "timeout", &timeout, error);
	if (status == STATUS_OK)
		status = usb_address_parse(source->address, &stlink_usb.naming, &wanted, error);
	if (status == STATUS_OK)
		status = open_exchange(&wanted, setup->cancel, &exchange, error);
	if (status != STATUS_OK)
		return status;
	const struct adi_setup own = {
	        .speed = setup->speed,
	        .access_port = setup->access_port,
	        .core = setup->core,
	        .cancel = setup->cancel,
	        .timeout = timeout,
	        .under_reset = target_connects_under_reset(setup),
	        .clock = &clock_system,
	        .trace = target->observer->trace,
	        .progress = target->observer->progress,
	        .context = target->observer->context,
	};
	return stlink_open(exchange, &own, &((struct stlink_target *)target)->stlink, error);
}

static enum status note_loss(struct target *target, enum status status)
{
	target->is_lost = stlink_is_lost(of(target));
	return status;
}

static enum status read_memory(struct target *target, uint64_t address, void *buffer, size_t size, struct error *error)
{
	return note_loss(target, stlink_read(of(target), address, buffer, size, error));
}

static enum status write_memory(struct target *target, uint64_t address, const void *bytes, size_t size,
                                struct error *error)
{
	return note_loss(target, stlink_write(of(target), address, bytes, size, error));
}

static enum status read_register(struct target *target, uint64_t address, uint32_t *words, size_t count,
                                 struct error *error)
{
	return note_loss(target, stlink_read_register(of(target), address, words, count, error));
}

static enum status write_register(struct target *target, uint64_t address, uint32_t word, struct error *error)
{
	return note_loss(target, stlink_write_register(of(target), address, word, error));
}

static enum status probe_register(struct target *target, uint64_t address, uint32_t *word, struct error *error)
{
	return note_loss(target, stlink_probe(of(target), address, word, error));
}

static enum status drive_reset(struct target *target, bool is_low, struct error *error)
{
	return stlink_drive_reset(of(target), is_low, error);
}

static void traffic(const struct target *target, struct target_traffic *traffic)
{
	traffic->has_transfers = true;
	traffic->transfers = stlink_traffic(((const struct stlink_target *)target)->stlink);
}

static void begin_disconnect(struct target *target)
{
	if (of(target) != NULL)
		stlink_finish(of(target));
}

static enum status close_probe(struct target *target, struct error *error)
{
	(void)error;
	stlink_close(of(target));
	return STATUS_OK;
}

const struct target_ops backend_stlink = {
        .scheme = "stlink",
        .synopsis = "[:SERIAL|:VID:PID[:SERIAL]][,timeout=SECONDS]",
        .summary = "an ST-Link, version 2, 2-1 or 3 (Nucleo and Discovery boards): the target keeps running",
        .options = {"timeout"},
        .is_live = true,
        .is_cortex_m = true,
        .capabilities = TARGET_CAN_SET_SPEED | TARGET_CAN_CHOOSE_PORT | TARGET_CAN_CHOOSE_CORE | TARGET_CONTROLS_CORE |
                        TARGET_CAN_CONNECT_UNDER_RESET | TARGET_CAN_TRACE,
        .state_size = sizeof(struct stlink_target),
        .open = open_probe,
        .list = list_probes,
        .read = read_memory,
        .write = write_memory,
        .read_register = read_register,
        .write_register = write_register,
        .probe_register = probe_register,
        .drive_reset = drive_reset,
        .traffic = traffic,
        .begin_disconnect = begin_disconnect,
        .close = close_probe,
};
