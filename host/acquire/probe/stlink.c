/* SPDX-License-Identifier: MIT */
/* The backend for ST-Links: opening and closing one, its version, mode and clock. See stlink.h and stlink_state.h. */
#include "acquire/probe/stlink_state.h"

#include "acquire/dap/registers.h"
#include "acquire/probe/probe_target.h"
#include "acquire/target/target.h"
#include "base/wait.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Milliseconds to wait for each of the last answers, and for the target, while disconnecting. */
#define CLOSING_TIME 150u
/* Milliseconds until the probe answers in another mode, unless it disconnects. */
#define MODE_TIME 1000
/* Clocks in Hz: the default, slow enough for every target and most wires, and the clock of firmware with a fixed
 * clock. */
#define SPEED_DEFAULT 1000000u
#define FIXED_CLOCK   1800000u

enum mode { MODE_DFU, MODE_MASS_STORAGE, MODE_DEBUG, MODE_SWIM, MODE_BOOTLOADER };

/* --- Version */

/* Some firmware of a V2-1 is for STM8 only: OpenOCD, stlink_usb_version(). */
static bool is_for_stm8(unsigned product, unsigned release, unsigned last)
{
	return (product == 0x374B || product == 0x3752) &&
	       ((release <= 22 && last == 7) || (release >= 25 && last >= 7 && last <= 12));
}

static enum status check_version(const struct stlink *stlink, struct error *error)
{
	const char *source = stlink->exchange->source;

	if (stlink->hardware < 2)
		return status_fail(error, "%s: an ST-Link of version %u is not supported: use a debug server", source,
		                   stlink->hardware);
	if (stlink->release == 0)
		return status_fail(error, "%s: its firmware is for STM8 only: install another with STM32CubeProgrammer",
		                   source);
	if (!stlink_has(stlink, STLINK_HAS_STATUS))
		return status_fail(error, "%s: its firmware V%uJ%u is too old: update it with STM32CubeProgrammer",
		                   source, stlink->hardware, stlink->release);
	return STATUS_OK;
}

static enum status query_long_version(struct stlink *stlink, struct error *error)
{
	uint8_t answer[12];
	const struct stlink_request query = {
	        .command = {STLINK_GET_LONG_VERSION}, .in = answer, .in_size = sizeof answer};

	enum status status = stlink_ask(stlink, &query, error);
	if (status == STATUS_OK) {
		stlink->hardware = answer[0];
		stlink->release = answer[2];
	}
	return status;
}

static enum status query_version(struct stlink *stlink, struct error *error)
{
	const struct stlink_request query = {
	        .command = {STLINK_GET_VERSION}, .in = stlink->version, .in_size = sizeof stlink->version};

	enum status status = stlink_ask(stlink, &query, error);
	if (status != STATUS_OK)
		return status;
	/* Only the version is big-endian. */
	const unsigned version = (unsigned)(stlink->version[0] << 8 | stlink->version[1]);
	const unsigned release = version >> 6 & 0x3F, last = version & 0x3F;
	stlink->has_version = true;
	stlink->hardware = version >> 12;
	stlink->release = is_for_stm8(stlink_word(stlink->version + 2) >> 16, release, last) ? 0 : release;
	if (stlink->hardware >= 3 && release == 0 && last == 0)
		status = query_long_version(stlink, error);
	return status == STATUS_OK ? check_version(stlink, error) : status;
}

/* --- Modes */

static enum status query_mode(struct stlink *stlink, enum mode *mode, struct error *error)
{
	uint8_t answer[2];
	const struct stlink_request query = {.command = {STLINK_GET_MODE}, .in = answer, .in_size = sizeof answer};

	enum status status = stlink_ask(stlink, &query, error);
	*mode = status == STATUS_OK ? (enum mode)answer[0] : MODE_MASS_STORAGE;
	return status;
}

/* These commands have no answer. */
static enum status send_leave_command(struct stlink *stlink, uint8_t command, uint8_t detail, struct error *error)
{
	const struct stlink_request request = {.command = {command, detail}};

	return stlink_ask(stlink, &request, error);
}

/* An earlier program may have left the probe in any mode. */
static enum status leave_mode(struct stlink *stlink, struct error *error)
{
	enum mode mode;

	enum status status = query_mode(stlink, &mode, error);
	if (status != STATUS_OK)
		return status;
	switch (mode) {
	case MODE_DEBUG:
		return send_leave_command(stlink, STLINK_DEBUG, STLINK_LEAVE_DEBUG, error);
	case MODE_SWIM:
		return send_leave_command(stlink, STLINK_SWIM, 0x01, error);
	case MODE_DFU:
	case MODE_BOOTLOADER:
		return status_fail(error,
		                   "%s: the probe waits for new firmware: plug it in again, or update it with "
		                   "STM32CubeProgrammer",
		                   stlink->exchange->source);
	default:
		return STATUS_OK;
	}
}

enum status stlink_leave_dfu(struct exchange *exchange, bool *comes_back, struct error *error)
{
	struct stlink stlink = {.exchange = exchange, .setup = {.observer = &target_nobody, .timeout = MODE_TIME}};
	struct error ignored;
	enum mode mode;

	*comes_back = false;
	exchange->ops->drain(exchange, EXCHANGE_SILENCE);
	enum status status = query_mode(&stlink, &mode, error);
	if (status != STATUS_OK || mode != MODE_DFU)
		return status;
	status = send_leave_command(&stlink, STLINK_DFU, 0x07, error);
	/* Some firmware changes its mode at once; other firmware disconnects, and comes back as another device. */
	*comes_back = status != STATUS_OK || query_mode(&stlink, &mode, &ignored) != STATUS_OK || mode == MODE_DFU;
	return stlink_is_cancelled(&stlink) ? status_fail(error, "%s: interrupted", exchange->source) : STATUS_OK;
}

/* --- Clock */

/* Version 2: a clock in Hz, and its code. */
static const struct {
	uint32_t speed;
	uint16_t divisor;
} divisors[] = {
        {4000000, 0}, {1800000, 1}, {1200000, 2}, {950000, 3},  {480000, 7},  {240000, 15},
        {125000, 31}, {100000, 40}, {50000, 79},  {25000, 158}, {15000, 265}, {5000, 798},
};
#define DIVISORS (sizeof divisors / sizeof divisors[0])

static uint32_t wanted_speed(const struct stlink *stlink)
{
	return stlink->setup.speed > 0 ? stlink->setup.speed : SPEED_DEFAULT;
}

static enum status fail_without_clock(const struct stlink *stlink, struct error *error)
{
	return status_fail(error, "%s: the probe has no clock of %u Hz or less", stlink->exchange->source,
	                   wanted_speed(stlink));
}

/* Sends a command that must succeed. */
static enum status ask_for_success(struct stlink *stlink, const struct stlink_request *request, struct error *error)
{
	struct access_result result;
	char text[128];

	enum status status = stlink_ask_for_result(stlink, request, &result, error);
	if (status == STATUS_OK && result.ack != DAP_OK)
		status = status_fail(error, "%s: the probe refuses command 0x%02x: %s", stlink->exchange->source,
		                     request->command[1], stlink_reason(&result, text, sizeof text));
	return status;
}

static enum status set_divisor(struct stlink *stlink, struct error *error)
{
	uint8_t answer[2];
	size_t i = 0;

	while (i < DIVISORS && divisors[i].speed > wanted_speed(stlink))
		i++;
	if (i == DIVISORS)
		return fail_without_clock(stlink, error);
	const struct stlink_request request = {
	        .command = {STLINK_DEBUG, STLINK_SET_DIVISOR, STLINK_HALF(divisors[i].divisor)},
	        .in = answer,
	        .in_size = sizeof answer};
	enum status status = ask_for_success(stlink, &request, error);
	stlink->access.traffic.speed = divisors[i].speed;
	return status;
}

/* The highest of the clocks that the probe lists, in kHz, up to the wanted one; 0: none. */
static uint32_t choose_clock(const uint8_t answer[52], uint32_t wanted)
{
	const size_t count = answer[8] < 10 ? answer[8] : 10;
	uint32_t best = 0;

	for (size_t i = 0; i < count; i++) {
		uint32_t clock = stlink_word(answer + 12 + 4 * i);

		if (clock <= wanted && clock > best)
			best = clock;
	}
	return best;
}

/* The parameter after the command is 0 for SWD. */
static enum status set_clock(struct stlink *stlink, struct error *error)
{
	uint8_t clocks[52], answer[8];
	const struct stlink_request list = {
	        .command = {STLINK_DEBUG, STLINK_LIST_CLOCKS, 0}, .in = clocks, .in_size = sizeof clocks};

	enum status status = ask_for_success(stlink, &list, error);
	if (status != STATUS_OK)
		return status;
	const uint32_t wanted = wanted_speed(stlink) / 1000, clock = choose_clock(clocks, wanted);
	if (clock == 0)
		return fail_without_clock(stlink, error);
	const struct stlink_request request = {.command = {STLINK_DEBUG, STLINK_SET_CLOCK, 0, 0, STLINK_WORD(clock)},
	                                       .in = answer,
	                                       .in_size = sizeof answer};
	status = ask_for_success(stlink, &request, error);
	if (status != STATUS_OK)
		return status;
	const uint32_t stated = stlink_word(answer + 4);
	stlink->access.traffic.speed = (stated > 0 && stated <= wanted ? stated : clock) * 1000;
	return STATUS_OK;
}

static enum status stlink_set_speed(struct stlink *stlink, struct error *error)
{
	if (stlink->hardware >= 3)
		return set_clock(stlink, error);
	if (stlink_has(stlink, STLINK_HAS_CLOCK))
		return set_divisor(stlink, error);
	stlink->access.traffic.speed = FIXED_CLOCK;
	if (stlink->setup.speed > 0 && stlink->setup.speed < FIXED_CLOCK)
		return status_fail(error,
		                   "%s: the clock of its firmware V%uJ%u is fixed at %.1f MHz: update it with "
		                   "STM32CubeProgrammer, or ask for that speed",
		                   stlink->exchange->source, stlink->hardware, stlink->release, FIXED_CLOCK / 1e6);
	return STATUS_OK;
}

static enum status stlink_drive_reset(void *probe, bool is_low, struct error *error)
{
	struct stlink *stlink = probe;
	uint8_t answer[2];
	const struct stlink_request request = {
	        .command = {STLINK_DEBUG, STLINK_DRIVE_RESET, is_low ? 0 : 1}, .in = answer, .in_size = sizeof answer};

	stlink->is_reset_low |= is_low;
	enum status status = ask_for_success(stlink, &request, error);
	if (status == STATUS_OK)
		stlink->is_reset_low = is_low;
	return status;
}

/* --- Connection */

static void stlink_finish(void *probe)
{
	struct stlink *stlink = probe;
	const bool was_interrupted = stlink_is_cancelled(stlink);

	stlink->exchange->cancel = stlink->setup.cancel = -1;
	if (stlink->setup.timeout > 4 * CLOSING_TIME)
		stlink->setup.timeout = 4 * CLOSING_TIME;
	/* An interrupted target is not lost, but its answer may still come. */
	if (was_interrupted)
		stlink->is_lost = stlink->is_silent = !stlink_resynchronise(stlink);
}

/* Tried once. The probe would not accept the command before earlier answers are fetched. */
static void leave_debug(struct stlink *stlink)
{
	struct error ignored;

	if (stlink->is_silent)
		stlink->exchange->ops->drain(stlink->exchange, EXCHANGE_SILENCE);
	stlink->is_silent = false;
	stlink->losses = STLINK_LOSSES_MAX;
	send_leave_command(stlink, STLINK_DEBUG, STLINK_LEAVE_DEBUG, &ignored);
}

static void stlink_close(void *probe)
{
	struct stlink *stlink = probe;
	struct error ignored;

	if (stlink->is_reset_low)
		stlink_drive_reset(stlink, false, &ignored);
	if (stlink->is_connected && !stlink->exchange->is_lost)
		leave_debug(stlink);
	stlink->exchange->ops->close(stlink->exchange);
	free(stlink);
}

static const struct probe_ops stlink_ops = {.transfer = stlink_transfer,
                                            .recover = stlink_recover,
                                            .fail = stlink_fail,
                                            .drive_reset = stlink_drive_reset,
                                            .finish = stlink_finish,
                                            .close = stlink_close};

static void stlink_init_access(struct stlink *stlink)
{
	const uint32_t speed = stlink->access.traffic.speed;

	stlink->access = (struct access){.ops = &stlink_ops,
	                                 .probe = stlink,
	                                 .setup = &stlink->setup,
	                                 .source = stlink->exchange->source,
	                                 .is_lost = &stlink->is_lost,
	                                 .packets_lost = &stlink->packets_lost,
	                                 .last = UINT32_MAX,
	                                 .has_bytes = true,
	                                 .words = stlink->words,
	                                 .units_max = access_words_max(speed, STLINK_ACCESS_MAX / 4),
	                                 .units_now = STLINK_ACCESS_MAX / 4,
	                                 .traffic.speed = speed};
}

static enum status connect_through_stlink(struct stlink *stlink, struct error *error)
{
	struct access_result result;
	char text[128];

	enum status status = leave_mode(stlink, error);
	if (status == STATUS_OK)
		status = stlink_set_speed(stlink, error);
	stlink_init_access(stlink);
	if (status == STATUS_OK && target_connects_under_reset(&stlink->setup))
		status = stlink_drive_reset(stlink, true, error);
	if (status == STATUS_OK)
		status = stlink_connect(stlink, &result, error);
	if (status == STATUS_OK && result.ack != DAP_OK)
		status = status_fail(error, "%s: %s", stlink->exchange->source,
		                     stlink_reason(&result, text, sizeof text));
	return status == STATUS_OK ? stlink_choose_port(stlink, error) : status;
}

enum status stlink_open(struct exchange *exchange, const struct target_setup *setup, struct access **access,
                        struct error *error)
{
	struct stlink *stlink = calloc(1, sizeof *stlink);

	*access = NULL;
	if (stlink == NULL) {
		exchange->ops->close(exchange);
		return status_no_memory(error, exchange->source);
	}
	*stlink = (struct stlink){.exchange = exchange, .setup = *setup};
	exchange->ops->drain(exchange, EXCHANGE_SILENCE);
	enum status status = query_version(stlink, error);
	if (status == STATUS_OK)
		status = connect_through_stlink(stlink, error);
	if (status != STATUS_OK) {
		stlink_finish(stlink);
		stlink_close(stlink);
		return status;
	}
	stlink->access.traffic.bytes = stlink->access.milliseconds = 0;
	*access = &stlink->access;
	return STATUS_OK;
}

/* --- The row of the table of backends. */

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

/* Reopens a probe that has disconnected. Its ids change with its mode. */
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

/* Opens the probe and takes it out of DFU. It may still be found until it disconnects. */
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

static enum status stlink_open_target(struct target *target, const struct source *source,
                                      const struct target_setup *setup, struct error *error)
{
	struct target_setup probe;
	struct usb_address wanted;
	struct exchange *exchange;

	enum status status = probe_target_setup(source, setup, &probe, error);
	if (status == STATUS_OK)
		status = usb_address_parse(source->address, &stlink_usb.naming, &wanted, error);
	if (status == STATUS_OK)
		status = open_exchange(&wanted, setup->cancel, &exchange, error);
	if (status != STATUS_OK)
		return status;
	/* 0 is kept, because firmware with a fixed clock accepts only that. */
	probe.speed = setup->speed;
	return stlink_open(exchange, &probe, &((struct probe_target *)target)->access, error);
}

const struct target_ops backend_stlink = {
        .syntax = {.scheme = "stlink",
                   .synopsis = "[:SERIAL|:VID:PID[:SERIAL]][,timeout=SECONDS]",
                   .summary = "an ST-Link, version 2, 2-1 or 3 (Nucleo and Discovery boards): the target keeps running",
                   .options = {"timeout"}},
        .capabilities = PROBE_TARGET_CAPABILITIES,
        .open = stlink_open_target,
        .usb = &stlink_usb,
        PROBE_TARGET_OPS,
};
