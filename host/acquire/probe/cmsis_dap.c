/* SPDX-License-Identifier: MIT */
/* The backend for CMSIS-DAP probes, and their SWD transfers, which the probe's firmware performs. See cmsis_dap.h. */
#include "acquire/probe/cmsis_dap.h"

#include "acquire/probe/cmsis_dap_probe.h"
#include "acquire/probe/probe_target.h"
#include "acquire/target/target.h"
#include "acquire/usb/packets.h"
#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

/* Retries after WAIT in the probe: the default of CMSIS-DAP's own firmware. */
#define WAIT_RETRIES 100

enum { TRANSFER_CONFIGURE = 0x04, SWJ_SEQUENCE = 0x12, SWD_CONFIGURE = 0x13, SWD_SEQUENCE = 0x1d };

struct cmsis_dap {
	struct dap dap;
	struct cmsis_dap_probe probe;
	/* The packets for a list of transfers. */
	struct cmsis_dap_place place;                          /* transfers not in a packet yet */
	bool is_packed;                                        /* the next packet is in the ring */
	struct cmsis_dap_packet ring[CMSIS_DAP_IN_FLIGHT_MAX]; /* packets in flight, and the next one */
};

static struct cmsis_dap *cmsis_dap_of(struct dap *dap)
{
	return (struct cmsis_dap *)dap;
}

static enum status switch_to_swd(struct cmsis_dap_probe *probe, struct error *error)
{
	/* No idle clocks, no value matching. */
	static const uint8_t transfers[] = {TRANSFER_CONFIGURE, 0, WAIT_RETRIES, 0, 0, 0};
	/* One clock of turnaround; data only after an OK acknowledge. */
	static const uint8_t wire[] = {SWD_CONFIGURE, 0};

	enum status status = cmsis_dap_connect(probe, CMSIS_DAP_SWD, error);
	if (status == STATUS_OK)
		status = cmsis_dap_ask_for_success(probe, transfers, sizeof transfers, error);
	return status != STATUS_OK ? status : cmsis_dap_ask_for_success(probe, wire, sizeof wire, error);
}

/* Reports a lost packet as DAP_LOST. */
static enum status resynchronise_swd(struct cmsis_dap *swd, enum dap_ack *ack)
{
	const bool is_usable = cmsis_dap_resynchronise(&swd->probe);

	swd->dap.packets_lost = swd->probe.packets_lost;
	if (is_usable)
		*ack = DAP_LOST;
	return is_usable ? STATUS_OK : STATUS_FAILED;
}

/* Ignores a lost answer: nothing shows whether the target understood the bits anyway. */
static enum status send_sequence(struct cmsis_dap *swd, const uint8_t *request, size_t size, struct error *error)
{
	enum dap_ack ignored;

	enum status status = cmsis_dap_ask_for_success(&swd->probe, request, size, error);
	return status && swd->probe.answer_size == 0 ? resynchronise_swd(swd, &ignored) : status;
}

static enum status cmsis_dap_swd_send_bits(struct dap *dap, const uint8_t *bits, unsigned count, struct error *error)
{
	struct cmsis_dap *swd = cmsis_dap_of(dap);
	uint8_t request[2 + 32] = {SWJ_SEQUENCE};

	for (unsigned done = 0; done < count; done += 256) {
		unsigned some = count - done < 256 ? count - done : 256;
		size_t size = (some + 7) / 8;

		request[1] = (uint8_t)some; /* 0 means 256 */
		memcpy(request + 2, bits + done / 8, size);
		enum status status = send_sequence(swd, request, 2 + size, error);
		if (status != STATUS_OK)
			return status;
	}
	return STATUS_OK;
}

/* DAP_Transfer would fail on the missing acknowledge and not send the data. Instead, this leaves the line free for five
 * clocks: turnaround, acknowledge, turnaround (IHI 0031, B4.3.4). */
static enum status cmsis_dap_swd_select_target(struct dap *dap, uint32_t target, struct error *error)
{
	struct cmsis_dap *swd = cmsis_dap_of(dap);
	/* 8 bits: start, write TARGETSEL, park; 5 free clocks; 33 bits: the target and its parity. */
	uint8_t request[] = {SWD_SEQUENCE, 3, 8, 0x99, 0x80 | 5, 33, 0, 0, 0, 0, (uint8_t)__builtin_parity(target)};

	cmsis_dap_put_word(request + 6, target);
	return send_sequence(swd, request, sizeof request, error);
}

static struct cmsis_dap_packet *packet_of(struct cmsis_dap *swd, unsigned number)
{
	return &swd->ring[number % CMSIS_DAP_IN_FLIGHT_MAX];
}

/* Whether another packet may be sent now. */
static bool can_send(struct cmsis_dap *swd)
{
	unsigned in_flight = swd->probe.sent - swd->probe.answered;
	struct cmsis_dap_packet *next = packet_of(swd, swd->probe.sent);

	if (in_flight >= swd->probe.in_flight_max)
		return false;
	if (!swd->is_packed && swd->place.count > 0) {
		cmsis_dap_pack(&swd->place, swd->probe.packets->size_max, next);
		swd->is_packed = true;
	}
	return swd->is_packed && (in_flight == 0 || next->may_follow);
}

static enum status send_next(struct cmsis_dap *swd, struct error *error)
{
	const struct cmsis_dap_packet *next = packet_of(swd, swd->probe.sent);

	swd->is_packed = false;
	swd->probe.sent++;
	return cmsis_dap_send(&swd->probe, next->request, next->size, error);
}

/* Report the first failure only; later transfers were already queued when it happened. */
static enum status take_swd_answer(struct cmsis_dap *swd, enum dap_ack *ack, struct error *error)
{
	enum dap_ack one;

	enum status status = cmsis_dap_receive(&swd->probe, clock_now() + swd->probe.timeout, error);
	if (status != STATUS_OK)
		return status;
	if (!cmsis_dap_unpack(packet_of(swd, swd->probe.answered), swd->probe.answer, swd->probe.answer_size, &one))
		return cmsis_dap_fail_mismatch(&swd->probe, error);
	swd->probe.answered++;
	if (*ack == DAP_OK)
		*ack = one;
	return STATUS_OK;
}

static enum status cmsis_dap_swd_transfer(struct dap *dap, const struct dap_transfer *transfers, size_t count,
                                          enum dap_ack *ack, struct error *error)
{
	struct cmsis_dap *swd = cmsis_dap_of(dap);

	/* Fails at once, because commands to disconnect would time out, or get answers to commands from before the
	 * interruption. A device that is gone reports that itself. */
	if ((swd->probe.is_lost && !swd->probe.packets->is_lost) || swd->probe.sent != swd->probe.answered)
		return status_fail(error, "%s: the probe no longer answers", dap->source);
	swd->place = (struct cmsis_dap_place){.transfers = transfers, .count = count};
	swd->is_packed = false;
	*ack = DAP_OK;
	for (;;) {
		enum status status;

		if (*ack == DAP_OK && can_send(swd))
			status = send_next(swd, error);
		else if (swd->probe.sent != swd->probe.answered)
			status = take_swd_answer(swd, ack, error);
		else
			break;
		if (status != STATUS_OK)
			return resynchronise_swd(swd, ack);
	}
	swd->probe.losses = 0;
	return STATUS_OK;
}

static enum status cmsis_dap_swd_set_speed(struct dap *dap, uint32_t *speed, struct error *error)
{
	return cmsis_dap_set_speed(&cmsis_dap_of(dap)->probe, *speed, error);
}

static enum status cmsis_dap_swd_drive_reset(struct dap *dap, bool is_low, struct error *error)
{
	return cmsis_dap_drive_reset(&cmsis_dap_of(dap)->probe, is_low, error);
}

static void cmsis_dap_swd_finish(struct dap *dap)
{
	cmsis_dap_finish(&cmsis_dap_of(dap)->probe);
}

static void cmsis_dap_swd_close(struct dap *dap)
{
	cmsis_dap_probe_close(&cmsis_dap_of(dap)->probe);
	free(dap);
}

static const struct dap_ops cmsis_dap_ops = {
        .send_bits = cmsis_dap_swd_send_bits,
        .select_target = cmsis_dap_swd_select_target,
        .transfer = cmsis_dap_swd_transfer,
        .set_speed = cmsis_dap_swd_set_speed,
        .drive_reset = cmsis_dap_swd_drive_reset,
        .finish = cmsis_dap_swd_finish,
        .close = cmsis_dap_swd_close,
};

enum status cmsis_dap_open(struct packets *packets, const char *source, unsigned timeout, struct dap **dap,
                           struct error *error)
{
	struct cmsis_dap *swd = calloc(1, sizeof *swd);

	if (swd == NULL) {
		packets->ops->close(packets);
		return status_no_memory(error, source);
	}
	swd->dap.ops = &cmsis_dap_ops;
	swd->dap.is_speed_limit = true;
	enum status status = cmsis_dap_probe_open(&swd->probe, packets, source, timeout, error);
	memcpy(swd->dap.source, swd->probe.source, sizeof swd->dap.source);
	if (status == STATUS_OK)
		status = switch_to_swd(&swd->probe, error);
	if (status != STATUS_OK)
		cmsis_dap_swd_close(&swd->dap);
	else
		*dap = &swd->dap;
	return status;
}

/* --- The row of the table of backends. */

/* Version 2 is faster than version 1. A device with both offers the same target (Arm, "CMSIS-DAP", "USB Interface"). */
static const enum usb_interface_type types[] = {USB_BULK_ORDERED, USB_HID};

/* Keep in step with udev/70-bareprof-probes.rules. */
static const struct usb_known known[] = {
        {.vendor = 0x03eb, .product = 0x2111}, /* Atmel EDBG */
        {.vendor = 0x03eb, .product = 0x2140}, /* Atmel JTAGICE3 */
        {.vendor = 0x03eb, .product = 0x2141}, /* Atmel-ICE */
        {.vendor = 0x03eb, .product = 0x2144}, /* Microchip Power Debugger */
        {.vendor = 0x03eb, .product = 0x2145}, /* Microchip mEDBG */
        {.vendor = 0x03eb, .product = 0x216c}, /* Microchip EDBGC */
        {.vendor = 0x03eb, .product = 0x2175}, /* Microchip nEDBG */
        {.vendor = 0x04b4, .product = 0xf138}, /* Cypress KitProg */
        {.vendor = 0x04b4, .product = 0xf148}, /* Cypress KitProg2 */
        {.vendor = 0x04b4, .product = 0xf151}, /* Cypress MiniProg4 */
        {.vendor = 0x04b4, .product = 0xf152}, /* Cypress MiniProg4, HID */
        {.vendor = 0x04b4, .product = 0xf154}, /* Cypress KitProg3, HID */
        {.vendor = 0x04b4, .product = 0xf155}, /* Cypress KitProg3 */
        {.vendor = 0x04b4, .product = 0xf166}, /* Cypress KitProg3 with two serial ports */
        {.vendor = 0x0d28, .product = 0x0204}, /* Arm DAPLink */
        {.vendor = 0x1a86, .product = 0x8011}, /* WCH-Link */
        {.vendor = 0x1a86, .product = 0x8012}, /* WCH-LinkE; its product string does not name the protocol */
        {.vendor = 0x1fc9, .product = 0x0090}, /* NXP LPC-Link2 */
        {.vendor = 0x1fc9, .product = 0x0143}, /* NXP MCU-Link */
        /* Raspberry Pi Debug Probe: its firmware loses packets before 2.2.0. */
        {.vendor = 0x2e8a, .product = 0x000c, .fixed_in_release = 0x0220},
        {.vendor = 0xc251, .product = 0x2750}, /* Keil ULINKplus */
        {.vendor = 0},
};

const struct usb_kind cmsis_dap_usb = {
        .naming = {.scheme = "cmsis-dap", .by_serial = true},
        .name = "CMSIS-DAP",
        .may_be_part = true,
        .types = types,
        .type_count = sizeof types / sizeof types[0],
        .known = known,
        .no_such = "no such probe is attached; is its cable plugged in? bareprof devices lists what is attached, and "
                   "cmsis-dap:VID:PID selects a probe that does not identify itself",
        .no_interface = "that has an interface of CMSIS-DAP: vendor-specific with bulk endpoints, or a HID",
};

static enum status cmsis_dap_open_target(struct target *target, const struct source *source,
                                         const struct target_setup *setup, struct error *error)
{
	struct target_setup probe;
	struct usb_address wanted;
	struct packets *packets;
	struct pins *pins = NULL;
	struct dap *dap = NULL;

	enum status status = probe_target_setup(source, setup, &probe, error);
	if (status == STATUS_OK)
		status = usb_address_parse(source->address, &cmsis_dap_usb.naming, &wanted, error);
	if (status == STATUS_OK)
		status = packets_open(&cmsis_dap_usb, &wanted, setup->cancel, &packets, error);
	if (status != STATUS_OK)
		return status;
	/* A quarter of the time-out leaves time to repeat a lost packet. */
	const unsigned for_answer = probe.timeout / 4 + 1;
	if (setup->transport == TARGET_JTAG) {
		status = cmsis_dap_open_jtag(packets, packets->source, for_answer, &pins, error);
		return status != STATUS_OK ? status : probe_target_open_pins(target, &probe, pins, error);
	}
	status = cmsis_dap_open(packets, packets->source, for_answer, &dap, error);
	return status != STATUS_OK ? status : probe_target_open(target, &probe, dap, error);
}

const struct target_ops backend_cmsis_dap = {
        .syntax = {.scheme = "cmsis-dap",
                   .synopsis = "[:SERIAL|:VID:PID[:SERIAL]][,timeout=SECONDS]",
                   .summary = "a debug probe that speaks CMSIS-DAP (DAPLink, Debug Probe, MCU-Link, ...): the target "
                              "keeps running",
                   .options = {"timeout"}},
        .capabilities = PROBE_TARGET_CAPABILITIES | TARGET_CAN_CHOOSE_TRANSPORT,
        .open = cmsis_dap_open_target,
        .usb = &cmsis_dap_usb,
        PROBE_TARGET_OPS,
};
