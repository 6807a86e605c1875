/* SPDX-License-Identifier: MIT */
/*
 * The backend for FTDI chips, whose MPSSE moves the bits of SWD or JTAG. Each stream ends with a command that no MPSSE
 * knows; the right answer to it shows that no byte was lost or added (FTDI, AN_135, "MPSSE Basics", 5.3.1). After a
 * wrong answer the buffers are emptied, and the stream returns only ones.
 */
#include "acquire/dap/pins.h"
#include "acquire/probe/ftdi_layout.h"
#include "acquire/probe/mpsse.h"
#include "acquire/probe/probe_target.h"
#include "acquire/target/target.h"
#include "acquire/usb/attached.h"
#include "acquire/usb/interface.h"
#include "base/clock.h"
#include "base/wait.h"

#include <ftdi.h>
#include <libusb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A command that does not exist, and the answer to it (AN_108, 5). */
enum { NO_COMMAND = 0xAA, BAD_COMMAND = 0xFA };

/* The end of a stream's commands and of its answers. */
#define END_SIZE 2u

/* The chip's latency timer in milliseconds; SEND_IMMEDIATE usually comes first. */
#define LATENCY 16
/* Milliseconds that an answer may take in addition to its clocks, and between two checks of cancel. */
#define ANSWER_TIME 1000
#define LOOK_TIME   50
/* This many lost answers in a row end the connection. */
#define LOSSES_MAX 3

/* Bytes of a USB packet, at full and at high speed. */
enum { FULL_SPEED_PACKET = 64, HIGH_SPEED_PACKET = 512 };

#define CLOCK_DEFAULT 1000000u

struct ftdi {
	struct pins pins;
	struct pins_ops ops; /* without functions that the board is not wired for */
	const struct ftdi_layout *layout;
	struct ftdi_context *context; /* NULL: not open */
	struct mpsse mpsse;
	uint32_t speed;
	int cancel;
	bool is_lost;         /* the chip is gone or silent */
	struct error failure; /* why it is lost */
	bool is_reset_low;    /* the reset pin is, or may be, low */
	unsigned losses;      /* lost answers in a row */
	uint8_t answer[MPSSE_COMMANDS_MAX * 8];
};

static struct ftdi *ftdi_of(struct pins *pins)
{
	return (struct ftdi *)pins;
}

/* Explains an error of libftdi, which also passes on errors of libusb. */
static const char *ftdi_reason(const struct ftdi *ftdi, int result)
{
	switch (result) {
	case LIBUSB_ERROR_NO_DEVICE:
	case LIBUSB_ERROR_NOT_FOUND:
		return "the device was unplugged";
	case LIBUSB_ERROR_PIPE:
		return "the device refuses transfers (stall); plug it in again";
	case LIBUSB_ERROR_TIMEOUT:
		return "no answer came in time; end any other program that uses the chip, or plug it in again";
	default:
		return ftdi_get_error_string(ftdi->context);
	}
}

static enum status ftdi_note_loss(struct ftdi *ftdi, const struct error *error)
{
	ftdi->is_lost = true;
	ftdi->failure = *error;
	return STATUS_FAILED;
}

static enum status ftdi_fail(struct ftdi *ftdi, int result, struct error *error)
{
	status_fail(error, "%s: %s", ftdi->pins.source, ftdi_reason(ftdi, result));
	return ftdi_note_loss(ftdi, error);
}

static enum status check_cancel(const struct ftdi *ftdi, struct error *error)
{
	if (wait_pause(0, ftdi->cancel))
		return STATUS_OK;
	return status_fail(error, "%s: interrupted", ftdi->pins.source);
}

/* The error of a transfer, or 0. */
static int result_of(const struct ftdi_transfer_control *transfer)
{
	if (transfer->transfer == NULL)
		return 0;
	switch (transfer->transfer->status) {
	case LIBUSB_TRANSFER_NO_DEVICE:
		return LIBUSB_ERROR_NO_DEVICE;
	case LIBUSB_TRANSFER_STALL:
		return LIBUSB_ERROR_PIPE;
	case LIBUSB_TRANSFER_ERROR:
	case LIBUSB_TRANSFER_OVERFLOW:
		return LIBUSB_ERROR_IO;
	default:
		return 0;
	}
}

/* Replaces libftdi's function, which can wait for ever: if a packet arrives while its transfer is being cancelled,
 * libftdi submits the transfer again. */
static void end_transfer(struct ftdi *ftdi, struct ftdi_transfer_control *transfer)
{
	struct timeval pause = {.tv_usec = LOOK_TIME * 1000};

	while (!transfer->completed) {
		libusb_cancel_transfer(transfer->transfer);
		libusb_handle_events_timeout_completed(ftdi->context->usb_ctx, &pause, &transfer->completed);
	}
}

/* Waits for all bytes of an answer. *size: bytes that came in time. */
static enum status await_transfer(struct ftdi *ftdi, struct ftdi_transfer_control *transfer, unsigned milliseconds,
                                  size_t *size, struct error *error)
{
	const uint64_t deadline = clock_now() + milliseconds;
	struct timeval pause = {.tv_usec = LOOK_TIME * 1000};
	enum status status = STATUS_OK;

	/* Checks for errors itself, because libftdi continues after them. */
	while (status == STATUS_OK && !transfer->completed && result_of(transfer) == 0 && clock_now() < deadline) {
		status = check_cancel(ftdi, error);
		if (status == STATUS_OK)
			libusb_handle_events_timeout_completed(ftdi->context->usb_ctx, &pause, &transfer->completed);
	}
	const int result = result_of(transfer);
	end_transfer(ftdi, transfer);
	*size = (size_t)transfer->offset;
	ftdi_transfer_data_done(transfer);
	return status != STATUS_OK || result == 0 ? status : ftdi_fail(ftdi, result, error);
}

/* Reads while it writes, because the chip stops when its buffer for answers is full. */
static enum status exchange_commands(struct ftdi *ftdi, size_t size, unsigned milliseconds, bool *is_answered,
                                     struct error *error)
{
	struct mpsse *mpsse = &ftdi->mpsse;
	size_t received;

	*is_answered = false;
	if (ftdi->is_lost) {
		*error = ftdi->failure;
		return STATUS_FAILED;
	}
	enum status status = check_cancel(ftdi, error);
	if (status != STATUS_OK)
		return status;
	struct ftdi_transfer_control *transfer = ftdi_read_data_submit(ftdi->context, ftdi->answer, (int)size);
	if (transfer == NULL)
		return ftdi_fail(ftdi, LIBUSB_ERROR_NO_DEVICE, error);
	const int written = ftdi_write_data(ftdi->context, mpsse->commands, (int)mpsse->count);
	status = await_transfer(ftdi, transfer, written < 0 ? 0 : milliseconds, &received, error);
	if (status == STATUS_OK && written < 0) {
		status_fail(error, "%s: the device accepts no data (%s); plug it in again", ftdi->pins.source,
		            ftdi_get_error_string(ftdi->context));
		return ftdi_note_loss(ftdi, error);
	}
	*is_answered =
	        received == size && ftdi->answer[size - 2] == BAD_COMMAND && ftdi->answer[size - 1] == NO_COMMAND;
	return status;
}

static void add_end_command(struct mpsse *mpsse)
{
	mpsse->commands[mpsse->count++] = NO_COMMAND;
	mpsse->commands[mpsse->count++] = SEND_IMMEDIATE;
}

/* Empties the buffers until an answer is correct. */
static enum status synchronise_chip(struct ftdi *ftdi, struct error *error)
{
	bool is_answered = false;

	for (unsigned tries = 0; tries < LOSSES_MAX && !is_answered; tries++) {
		const int result = ftdi_tcioflush(ftdi->context);

		if (result < 0)
			return ftdi_fail(ftdi, LIBUSB_ERROR_NO_DEVICE, error);
		mpsse_begin(&ftdi->mpsse);
		add_end_command(&ftdi->mpsse);
		enum status status = exchange_commands(ftdi, END_SIZE, ANSWER_TIME / 2, &is_answered, error);
		if (status != STATUS_OK)
			return status;
	}
	return is_answered ? STATUS_OK : ftdi_fail(ftdi, LIBUSB_ERROR_TIMEOUT, error);
}

/* Runs the queued commands, which take this many clocks. */
static enum status run_commands(struct ftdi *ftdi, size_t clocks, bool *is_answered, struct error *error)
{
	const unsigned milliseconds = ANSWER_TIME + (unsigned)(2000 * (uint64_t)clocks / ftdi->speed);

	add_end_command(&ftdi->mpsse);
	enum status status =
	        exchange_commands(ftdi, ftdi->mpsse.answer_size + END_SIZE, milliseconds, is_answered, error);
	if (status != STATUS_OK || *is_answered) {
		ftdi->losses = 0;
		return status;
	}
	ftdi->pins.packets_lost++;
	if (++ftdi->losses < LOSSES_MAX)
		return synchronise_chip(ftdi, error);
	status_fail(error,
	            "%s: the chip's answers do not match the commands; end any other program that uses it, or plug it "
	            "in again",
	            ftdi->pins.source);
	return ftdi_note_loss(ftdi, error);
}

/* --- Pins. */

static void take_pin_samples(const struct ftdi *ftdi, bool is_answered, uint8_t *samples, size_t from, size_t count)
{
	for (size_t i = from; !is_answered && i < from + count; i++)
		samples[i / 8] |= (uint8_t)(1u << i % 8);
	if (is_answered)
		mpsse_take(&ftdi->mpsse, ftdi->answer, samples);
}

static enum status ftdi_shift_swd(struct pins *pins, const uint8_t *bits, const uint8_t *direction, uint8_t *in,
                                  size_t count, struct error *error)
{
	struct ftdi *ftdi = ftdi_of(pins);
	enum status status = STATUS_OK;
	bool is_answered;

	memcpy(in, bits, (count + 7) / 8);
	for (size_t done = 0, part; status == STATUS_OK && done < count; done += part) {
		mpsse_begin(&ftdi->mpsse);
		part = mpsse_add_swd(&ftdi->mpsse, bits, direction, done, count);
		status = run_commands(ftdi, part, &is_answered, error);
		if (status == STATUS_OK)
			take_pin_samples(ftdi, is_answered, in, done, part);
	}
	return status;
}

static enum status ftdi_shift_jtag(struct pins *pins, const uint8_t *tms, const uint8_t *tdi, uint8_t *tdo,
                                   size_t count, struct error *error)
{
	struct ftdi *ftdi = ftdi_of(pins);
	enum status status = STATUS_OK;
	bool is_answered;

	for (size_t done = 0, part; status == STATUS_OK && done < count; done += part) {
		mpsse_begin(&ftdi->mpsse);
		part = mpsse_add_jtag(&ftdi->mpsse, tms, tdi, tdo != NULL, done, count);
		status = run_commands(ftdi, part, &is_answered, error);
		if (status == STATUS_OK && tdo != NULL)
			take_pin_samples(ftdi, is_answered, tdo, done, part);
	}
	return status;
}

/* Runs commands whose answer may get lost. */
static enum status run_once(struct ftdi *ftdi, struct error *error)
{
	bool ignored;

	return run_commands(ftdi, 0, &ignored, error);
}

static enum status ftdi_set_speed(struct pins *pins, uint32_t *speed, struct error *error)
{
	struct ftdi *ftdi = ftdi_of(pins);

	mpsse_begin(&ftdi->mpsse);
	mpsse_add_speed(&ftdi->mpsse, speed);
	ftdi->speed = *speed;
	return run_once(ftdi, error);
}

static void set_reset(struct ftdi *ftdi, bool is_low)
{
	const uint16_t pin = ftdi->layout->reset_pin;
	struct mpsse *mpsse = &ftdi->mpsse;
	const bool is_high = ftdi->layout->reset == FTDI_RESET_ENABLE ? is_low : !is_low;
	const bool is_output = ftdi->layout->reset != FTDI_RESET_OPEN_DRAIN || is_low;

	if (ftdi->layout->reset == FTDI_RESET_OPEN_DRAIN)
		mpsse->level &= (uint16_t)~pin;
	else
		mpsse->level = (uint16_t)(is_high ? mpsse->level | pin : mpsse->level & ~pin);
	mpsse->outputs = (uint16_t)(is_output ? mpsse->outputs | pin : mpsse->outputs & ~pin);
}

static enum status ftdi_drive_reset(struct pins *pins, bool is_low, struct error *error)
{
	struct ftdi *ftdi = ftdi_of(pins);

	if (ftdi->layout->reset == FTDI_NO_RESET)
		return status_fail(error, "%s: layout %s has no reset pin", pins->source, ftdi->layout->name);
	mpsse_begin(&ftdi->mpsse);
	set_reset(ftdi, is_low);
	mpsse_add_pins(&ftdi->mpsse);
	ftdi->is_reset_low |= is_low;
	enum status status = run_once(ftdi, error);
	if (status == STATUS_OK)
		ftdi->is_reset_low = is_low;
	return status;
}

static void ftdi_finish(struct pins *pins)
{
	ftdi_of(pins)->cancel = -1;
}

/* Resets the bit mode: the pins become a serial port again. */
static void ftdi_close_pins(struct pins *pins)
{
	struct ftdi *ftdi = ftdi_of(pins);
	struct error ignored;

	ftdi_finish(pins);
	if (ftdi->context != NULL) {
		if (ftdi->is_reset_low && !ftdi->is_lost)
			ftdi_drive_reset(pins, false, &ignored);
		ftdi_set_bitmode(ftdi->context, 0, BITMODE_RESET);
		ftdi_usb_close(ftdi->context);
		ftdi_free(ftdi->context);
	}
	free(ftdi);
}

static const struct pins_ops ftdi_ops = {
        .shift_swd = ftdi_shift_swd,
        .shift_jtag = ftdi_shift_jtag,
        .set_speed = ftdi_set_speed,
        .drive_reset = ftdi_drive_reset,
        .finish = ftdi_finish,
        .close = ftdi_close_pins,
};

/* --- Opening. */

static enum status choose_layout(struct ftdi *ftdi, const struct usb_interface *interface, struct error *error)
{
	if (ftdi->layout == NULL)
		ftdi->layout = ftdi_layout_of(interface->vendor, interface->product, interface->product_name);
	if (ftdi->layout == NULL)
		return status_usage(error, "%s: no layout is known for it: name one, as in ftdi:ft232h",
		                    ftdi->pins.source);
	if (ftdi->layout->swdio == FTDI_NO_SWD)
		ftdi->ops.shift_swd = NULL;
	if (!ftdi->layout->has_jtag)
		ftdi->ops.shift_jtag = NULL;
	return STATUS_OK;
}

/* Errors of ftdi_usb_open_dev(): -4 and -5 say that the device or its interface cannot be opened. */
static enum status ftdi_open_device(struct ftdi *ftdi, const struct usb_interface *interface, struct error *error)
{
	static const enum ftdi_interface channels[] = {INTERFACE_A, INTERFACE_B, INTERFACE_C, INTERFACE_D};
	struct ftdi_context *context = ftdi_new();

	if (context == NULL)
		return status_no_memory(error, ftdi->pins.source);
	ftdi_set_interface(context, channels[ftdi->layout->channel]);
	context->module_detach_mode = AUTO_DETACH_REATACH_SIO_MODULE;
	const int result = ftdi_usb_open_bus_addr(context, libusb_get_bus_number(interface->device),
	                                          libusb_get_device_address(interface->device));
	if (result == 0) {
		ftdi->context = context;
		return STATUS_OK;
	}
	enum status status = STATUS_FAILED;
	if (result == -4 || result == -5)
		status = usb_attached_refuse(interface, interface->is_refused ? LIBUSB_ERROR_ACCESS : LIBUSB_ERROR_BUSY,
		                             error);
	else
		status_fail(error, "%s: cannot open it: %s", ftdi->pins.source, ftdi_get_error_string(context));
	ftdi_free(context);
	return status;
}

static enum status find_and_open(struct ftdi *ftdi, const struct usb_kind *kind, const struct usb_address *wanted,
                                 struct error *error)
{
	struct usb_attached attached;

	enum status status = usb_attached_find(kind, wanted, &attached, error);
	if (status != STATUS_OK)
		return status;
	usb_interface_source(&attached.interface, ftdi->pins.source);
	status = choose_layout(ftdi, &attached.interface, error);
	if (status == STATUS_OK)
		status = ftdi_open_device(ftdi, &attached.interface, error);
	usb_attached_close(&attached);
	return status;
}

static enum status start_mpsse(struct ftdi *ftdi, struct error *error)
{
	static const uint8_t modes[] = {DIS_DIV_5, DIS_ADAPTIVE, DIS_3_PHASE, LOOPBACK_END};
	struct ftdi_context *context = ftdi->context;
	uint32_t speed = CLOCK_DEFAULT;

	if (context->type != TYPE_232H && context->type != TYPE_2232H && context->type != TYPE_4232H)
		return status_fail(error, "%s: this FTDI chip is not supported; use an FT232H, FT2232H or FT4232H",
		                   ftdi->pins.source);
	/* libftdi relies on one of these sizes: with smaller packets it would write outside its buffer. */
	if (context->max_packet_size != FULL_SPEED_PACKET && context->max_packet_size != HIGH_SPEED_PACKET)
		return status_fail(error, "%s: not an FTDI chip: it states USB packets of %u bytes", ftdi->pins.source,
		                   context->max_packet_size);
	ftdi_write_data_set_chunksize(context, MPSSE_COMMANDS_MAX);
	ftdi_read_data_set_chunksize(context, MPSSE_COMMANDS_MAX);
	context->usb_write_timeout = 2 * ANSWER_TIME;
	if (ftdi_set_latency_timer(context, LATENCY) < 0 || ftdi_set_bitmode(context, 0, BITMODE_RESET) < 0 ||
	    ftdi_set_bitmode(context, 0, BITMODE_MPSSE) < 0)
		return ftdi_fail(ftdi, 0, error);
	enum status status = synchronise_chip(ftdi, error);
	if (status != STATUS_OK)
		return status;
	ftdi->mpsse.layout = ftdi->layout;
	ftdi->mpsse.level = ftdi->layout->level;
	ftdi->mpsse.outputs = ftdi->layout->outputs;
	mpsse_begin(&ftdi->mpsse);
	memcpy(ftdi->mpsse.commands, modes, sizeof modes);
	ftdi->mpsse.count = sizeof modes;
	mpsse_add_speed(&ftdi->mpsse, &speed);
	ftdi->speed = speed;
	set_reset(ftdi, false);
	mpsse_add_pins(&ftdi->mpsse);
	return run_once(ftdi, error);
}

static enum status ftdi_open_pins(const struct usb_kind *kind, const struct usb_address *wanted,
                                  const struct ftdi_layout *layout, int cancel, struct pins **pins, struct error *error)
{
	struct ftdi *ftdi = calloc(1, sizeof *ftdi);

	if (ftdi == NULL)
		return status_no_memory(error, kind->naming.scheme);
	ftdi->ops = ftdi_ops;
	ftdi->pins.ops = &ftdi->ops;
	ftdi->layout = layout;
	ftdi->cancel = cancel;
	enum status status = find_and_open(ftdi, kind, wanted, error);
	if (status == STATUS_OK)
		status = start_mpsse(ftdi, error);
	if (status == STATUS_OK)
		*pins = &ftdi->pins;
	else
		ftdi_close_pins(&ftdi->pins);
	return status;
}

/* --- The row of the table of backends. */

#define LAYOUTS "ft232h, ft2232h, ft4232h, tigard, minimodule, esp-prog, hifive1, olimex, olimex-swd"

static const enum usb_interface_type types[] = {USB_BULK_PAIR};

/* The ids of the layouts. Keep them in step with udev/70-bareprof-probes.rules. */
static const struct usb_known known[] = {
        {.vendor = 0x0403, .product = 0x6010},
        {.vendor = 0x0403, .product = 0x6011},
        {.vendor = 0x0403, .product = 0x6014},
        {.vendor = 0x15ba, .product = 0x002b},
        {.vendor = 0},
};

const struct usb_kind ftdi_usb = {
        .naming = {.scheme = "ftdi", .by_serial = true},
        .name = "FTDI",
        .owns_ids = true,
        .types = types,
        .type_count = sizeof types / sizeof types[0],
        .known = known,
        .no_such = "no such chip is attached; is its cable plugged in? bareprof devices lists what is attached",
        .no_interface = "that has the interface of an FTDI chip: vendor-specific, with bulk endpoints",
        .no_serial = "; if a layout was meant, name one of " LAYOUTS,
};

/* Parses the address, which may begin with a LAYOUT. A layout implies the ids of its chip. */
static enum status parse_ftdi_address(const char *address, const struct ftdi_layout **layout,
                                      struct usb_address *wanted, struct error *error)
{
	const unsigned length = (unsigned)strcspn(address, ":");

	*layout = ftdi_layout_find(address, length);
	if (*layout != NULL)
		address += length + (address[length] == ':');
	enum status status = usb_address_parse(address, &ftdi_usb.naming, wanted, error);
	if (status == STATUS_OK && *layout != NULL && !wanted->names_device) {
		wanted->names_device = true;
		wanted->vendor = (*layout)->vendor;
		wanted->product = (*layout)->product;
	}
	return status;
}

static enum status ftdi_open_target(struct target *target, const struct source *source,
                                    const struct target_setup *setup, struct error *error)
{
	struct target_setup probe;
	const struct ftdi_layout *layout;
	struct usb_address wanted;
	struct pins *pins = NULL;

	enum status status = probe_target_setup(source, setup, &probe, error);
	if (status == STATUS_OK)
		status = parse_ftdi_address(source->address, &layout, &wanted, error);
	if (status == STATUS_OK)
		status = ftdi_open_pins(&ftdi_usb, &wanted, layout, setup->cancel, &pins, error);
	return status != STATUS_OK ? status : probe_target_open_pins(target, &probe, pins, error);
}

const struct target_ops backend_ftdi = {
        .syntax = {.scheme = "ftdi",
                   .synopsis = "[:LAYOUT][:SERIAL|:VID:PID[:SERIAL]][,timeout=SECONDS]",
                   .summary = "an FTDI chip; LAYOUT is " LAYOUTS,
                   .options = {"timeout"}},
        .capabilities = PROBE_TARGET_CAPABILITIES | TARGET_CAN_CHOOSE_TRANSPORT,
        .open = ftdi_open_target,
        .usb = &ftdi_usb,
        PROBE_TARGET_OPS,
};
