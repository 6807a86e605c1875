/* SPDX-License-Identifier: MIT */
/* See cmsis_dap.h. Commands are named as in Arm's "CMSIS-DAP", 2.1. */
#include "target/dap/cmsis_dap.h"

#include "base/clock.h"
#include "base/wait.h"
#include "target/dap/cmsis_dap_packet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More packets in flight do not make a full-speed probe faster, and some probes have room for fewer than they claim.
 */
#define IN_FLIGHT_MAX 4u

/* Lost or wrong packets in a row that end a transfer. */
#define LOSSES_MAX 8

/* Milliseconds for each of up to six last answers. */
#define CLOSING_TIME 150
/* Milliseconds for packets in flight at an interruption: four long ones at a slow clock. */
#define DRAIN_TIME 1000

/* Retries after WAIT in the probe: the default of CMSIS-DAP's own firmware. */
#define WAIT_RETRIES 100

enum probe_command {
	INFO = 0x00,
	HOST_STATUS = 0x01,
	CONNECT = 0x02,
	DISCONNECT = 0x03,
	TRANSFER_CONFIGURE = 0x04,
	SWJ_PINS = 0x10,
	SWJ_CLOCK = 0x11,
	SWJ_SEQUENCE = 0x12,
	SWD_CONFIGURE = 0x13,
	SWD_SEQUENCE = 0x1d,
	UNKNOWN = 0xff, /* the answer to an unknown command */
};

/* Items of DAP_Info. */
enum cmsis_dap_info {
	CMSIS_DAP_PROTOCOL = 0x04, /* protocol version, as text */
	CMSIS_DAP_CAPABILITIES = 0xf0,
	CMSIS_DAP_PACKET_COUNT = 0xfe,
	CMSIS_DAP_PACKET_SIZE = 0xff,
};

#define CAPABILITY_SWD 1u
#define PORT_SWD       1
#define PIN_RESET      0x80 /* nRESET, of DAP_SWJ_Pins */

struct cmsis_dap {
	struct dap dap;
	struct packets *packets;
	unsigned timeout;                     /* milliseconds for an answer */
	char protocol[16];                    /* protocol version, for messages */
	size_t answer_size;                   /* 0 = no answer came, or one to something else */
	uint8_t answer[CMSIS_DAP_PACKET_MAX]; /* the last answer */
	unsigned in_flight_max;
	unsigned losses;   /* in a row */
	bool is_connected; /* the pins are driven */
	bool is_lost;      /* it no longer answers properly */
	/* The packets for a list of transfers. */
	struct cmsis_dap_place place; /* transfers not in a packet yet */
	bool is_packed;               /* the next packet is in the ring */
	unsigned sent, answered; /* packets sent and answered; if they differ at the end, answers are outstanding */
	struct cmsis_dap_packet ring[IN_FLIGHT_MAX]; /* packets in flight, and the next one */
};

static enum status send(struct cmsis_dap *probe, const uint8_t *request, size_t size, struct error *error)
{
	return probe->packets->ops->send(probe->packets, request, size, clock_now() + probe->timeout, error);
}

static enum status receive_until(struct cmsis_dap *probe, uint64_t deadline, struct error *error)
{
	return probe->packets->ops->receive(probe->packets, probe->answer, sizeof probe->answer, deadline,
	                                    &probe->answer_size, error);
}

/* The failure for an answer that does not fit its command. */
static enum status fail_mismatch(const struct cmsis_dap *probe, struct error *error)
{
	return status_fail(error,
	                   "%s: the probe's answers do not match the commands; end any other program that uses "
	                   "it, or plug it in again",
	                   probe->dap.source);
}

static enum status unknown(const struct cmsis_dap *probe, uint8_t request, struct error *error)
{
	return status_fail(
	        error,
	        "%s: the probe does not know command 0x%02x of CMSIS-DAP (it speaks version %s); update its firmware",
	        probe->dap.source, request, probe->protocol);
}

/* Sends a command and waits for its answer, of at least two bytes. Late answers to other commands are skipped. */
static enum status ask(struct cmsis_dap *probe, const uint8_t *request, size_t size, struct error *error)
{
	uint64_t deadline = clock_now() + probe->timeout;
	bool is_other = false; /* an answer, but not to this command */

	probe->answer_size = 0;
	enum status status = send(probe, request, size, error);
	do {
		if (status == STATUS_OK)
			status = receive_until(probe, deadline, error);
		if (status != STATUS_OK)
			return is_other && clock_now() >= deadline ? fail_mismatch(probe, error) : status;
		if (probe->answer_size > 0 && probe->answer[0] == UNKNOWN)
			return unknown(probe, request[0], error);
		if (probe->answer_size > 0 && probe->answer[0] == request[0])
			return probe->answer_size >= 2 ? STATUS_OK : fail_mismatch(probe, error);
		probe->answer_size = 0;
		is_other = true;
	} while (clock_now() < deadline);
	return fail_mismatch(probe, error);
}

/* Sends a command that must succeed: any other answer is a failure. */
static enum status ask_for_success(struct cmsis_dap *probe, const uint8_t *request, size_t size, struct error *error)
{
	enum status status = ask(probe, request, size, error);

	if (status == STATUS_OK && probe->answer[1] != 0)
		status = status_fail(error, "%s: the probe refuses command 0x%02x of CMSIS-DAP", probe->dap.source,
		                     request[0]);
	return status;
}

/* Queries DAP_Info: up to capacity bytes, padded with zeros. */
static enum status ask_info(struct cmsis_dap *probe, enum cmsis_dap_info info, void *bytes, size_t capacity,
                            struct error *error)
{
	const uint8_t request[] = {INFO, (uint8_t)info};

	enum status status = ask(probe, request, sizeof request, error);
	if (status != STATUS_OK)
		return status;
	size_t size = probe->answer[1];
	if (size > probe->answer_size - 2)
		return fail_mismatch(probe, error);
	memset(bytes, 0, capacity);
	memcpy(bytes, probe->answer + 2, size < capacity ? size : capacity);
	return STATUS_OK;
}

static enum status check_size(const struct cmsis_dap *probe, size_t size, struct error *error)
{
	if (size >= CMSIS_DAP_PACKET_MIN)
		return STATUS_OK;
	return status_fail(error, "%s: the probe takes packets of %zu bytes, too few for CMSIS-DAP", probe->dap.source,
	                   size);
}

static enum status query_sizes(struct cmsis_dap *probe, struct error *error)
{
	struct packets *packets = probe->packets;
	uint8_t size_bytes[2], count;

	enum status status = ask_info(probe, CMSIS_DAP_PACKET_SIZE, size_bytes, sizeof size_bytes, error);
	if (status == STATUS_OK)
		status = ask_info(probe, CMSIS_DAP_PACKET_COUNT, &count, 1, error);
	if (status != STATUS_OK)
		return status;
	size_t size = size_bytes[0] | (size_t)size_bytes[1] << 8;
	status = check_size(probe, size, error);
	if (status != STATUS_OK)
		return status;
	/* A packet shorter than the probe's size must end with a short packet of the endpoint. */
	size_t limit = packets->size_max < CMSIS_DAP_PACKET_MAX ? packets->size_max : CMSIS_DAP_PACKET_MAX;
	packets->size_max = size <= limit ? size : limit - 1;
	probe->in_flight_max = count < IN_FLIGHT_MAX ? count : IN_FLIGHT_MAX;
	if (probe->in_flight_max > packets->in_flight_max)
		probe->in_flight_max = packets->in_flight_max;
	if (probe->in_flight_max == 0)
		probe->in_flight_max = 1;
	return STATUS_OK;
}

/* For messages: nothing but a version may reach the terminal. */
static enum status query_protocol(struct cmsis_dap *probe, struct error *error)
{
	char text[sizeof probe->protocol];

	enum status status = ask_info(probe, CMSIS_DAP_PROTOCOL, text, sizeof text - 1, error);
	if (status != STATUS_OK)
		return status;
	text[sizeof text - 1] = '\0';
	if (text[0] && strspn(text, "0123456789.") == strlen(text))
		memcpy(probe->protocol, text, sizeof text);
	return STATUS_OK;
}

static enum status query(struct cmsis_dap *probe, struct error *error)
{
	uint8_t capabilities;

	enum status status = check_size(probe, probe->packets->size_max, error);
	if (status == STATUS_OK)
		status = query_protocol(probe, error);
	if (status == STATUS_OK)
		status = ask_info(probe, CMSIS_DAP_CAPABILITIES, &capabilities, 1, error);
	if (status == STATUS_OK && !(capabilities & CAPABILITY_SWD))
		status = status_fail(error, "%s: the probe does not speak SWD", probe->dap.source);
	return status != STATUS_OK ? status : query_sizes(probe, error);
}

/* A failure of the probe's light does not matter. */
static void show_connected(struct cmsis_dap *probe, bool is_connected)
{
	const uint8_t request[] = {HOST_STATUS, 0, is_connected};
	struct error ignored;

	ask(probe, request, sizeof request, &ignored);
}

static enum status switch_to_swd(struct cmsis_dap *probe, struct error *error)
{
	static const uint8_t connect[] = {CONNECT, PORT_SWD};
	/* No idle clocks, no value matching. */
	static const uint8_t transfers[] = {TRANSFER_CONFIGURE, 0, WAIT_RETRIES, 0, 0, 0};
	/* One clock of turnaround; data only after an OK acknowledge. */
	static const uint8_t wire[] = {SWD_CONFIGURE, 0};

	enum status status = ask(probe, connect, sizeof connect, error);
	if (status == STATUS_OK && probe->answer[1] != PORT_SWD)
		status = status_fail(error, "%s: the probe does not switch to SWD; does another program use it?",
		                     probe->dap.source);
	if (status != STATUS_OK)
		return status;
	probe->is_connected = true;
	show_connected(probe, true);
	status = ask_for_success(probe, transfers, sizeof transfers, error);
	return status != STATUS_OK ? status : ask_for_success(probe, wire, sizeof wire, error);
}

static bool is_cancelled(const struct cmsis_dap *probe)
{
	return !wait_pause(0, probe->packets->cancel);
}

/* Discards answers in flight; the answer to another kind of command shows that none is left. */
static bool drain(struct cmsis_dap *probe)
{
	struct error ignored;
	uint8_t count;

	packets_drain(probe->packets);
	if (ask_info(probe, CMSIS_DAP_PACKET_COUNT, &count, 1, &ignored) != STATUS_OK)
		return false;
	probe->answered = probe->sent;
	return true;
}

/* After a missing or wrong answer: the probe may lose packets if there are too many. A cancelled wait does not count:
 * the probe is still needed to disconnect. */
static enum status resynchronise(struct cmsis_dap *probe, enum dap_ack *ack)
{
	probe->in_flight_max = 1;
	probe->dap.packets_lost++;
	if (!is_cancelled(probe) && ++probe->losses <= LOSSES_MAX && drain(probe)) {
		*ack = DAP_LOST;
		return STATUS_OK;
	}
	probe->is_lost = !is_cancelled(probe);
	return STATUS_FAILED;
}

static void shorten_timeout(struct cmsis_dap *probe, unsigned milliseconds)
{
	if (probe->timeout > milliseconds)
		probe->timeout = milliseconds;
}

static void cmsis_dap_finish(struct dap *dap)
{
	struct cmsis_dap *probe = (struct cmsis_dap *)dap;

	probe->packets->cancel = -1;
	if (probe->sent != probe->answered && !probe->is_lost) {
		shorten_timeout(probe, DRAIN_TIME);
		probe->is_lost = !drain(probe);
	}
	shorten_timeout(probe, CLOSING_TIME);
}

static void cmsis_dap_close(struct dap *dap)
{
	struct cmsis_dap *probe = (struct cmsis_dap *)dap;
	static const uint8_t disconnect[] = {DISCONNECT};
	struct error ignored;

	cmsis_dap_finish(dap);
	if (probe->is_connected) {
		show_connected(probe, false);
		ask(probe, disconnect, sizeof disconnect, &ignored);
	}
	probe->packets->ops->close(probe->packets);
	free(probe);
}

/* Nothing shows whether the target understood the bits, so a lost answer does not matter either. */
static enum status send_sequence(struct cmsis_dap *probe, const uint8_t *request, size_t size, struct error *error)
{
	enum dap_ack ignored;

	enum status status = ask_for_success(probe, request, size, error);
	return status && probe->answer_size == 0 ? resynchronise(probe, &ignored) : status;
}

static enum status cmsis_dap_send_bits(struct dap *dap, const uint8_t *bits, unsigned count, struct error *error)
{
	struct cmsis_dap *probe = (struct cmsis_dap *)dap;
	uint8_t request[2 + 32] = {SWJ_SEQUENCE};

	for (unsigned done = 0; done < count; done += 256) {
		unsigned some = count - done < 256 ? count - done : 256;
		size_t size = (some + 7) / 8;

		request[1] = (uint8_t)some; /* 0 means 256 */
		memcpy(request + 2, bits + done / 8, size);
		enum status status = send_sequence(probe, request, 2 + size, error);
		if (status != STATUS_OK)
			return status;
	}
	return STATUS_OK;
}

/* DAP_Transfer would fail on the missing acknowledge and not send the data. Instead, the line is free for five clocks:
 * turnaround, acknowledge, turnaround (IHI 0031, B4.3.4). */
static enum status cmsis_dap_select_target(struct dap *dap, uint32_t target, struct error *error)
{
	struct cmsis_dap *probe = (struct cmsis_dap *)dap;
	/* 8 bits: start, write TARGETSEL, park; 5 free clocks; 33 bits: the target and its parity. */
	uint8_t request[] = {SWD_SEQUENCE, 3, 8, 0x99, 0x80 | 5, 33, 0, 0, 0, 0, (uint8_t)__builtin_parity(target)};

	cmsis_dap_put_word(request + 6, target);
	return send_sequence(probe, request, sizeof request, error);
}

static enum status cmsis_dap_set_speed(struct dap *dap, uint32_t *speed, struct error *error)
{
	struct cmsis_dap *probe = (struct cmsis_dap *)dap;
	uint8_t request[1 + 4] = {SWJ_CLOCK};

	cmsis_dap_put_word(request + 1, *speed);
	enum status status = ask(probe, request, sizeof request, error);
	if (status == STATUS_OK && probe->answer[1] != 0)
		status = status_fail(error, "%s: the probe has no clock of %u Hz or less", probe->dap.source, *speed);
	return status;
}

static enum status cmsis_dap_drive_reset(struct dap *dap, bool is_reset, struct error *error)
{
	struct cmsis_dap *probe = (struct cmsis_dap *)dap;
	const uint8_t request[] = {SWJ_PINS, is_reset ? 0 : PIN_RESET, PIN_RESET, 0, 0, 0, 0};

	/* The answer holds the pins, which may not have settled. */
	return ask(probe, request, sizeof request, error);
}

static struct cmsis_dap_packet *packet_of(struct cmsis_dap *probe, unsigned number)
{
	return &probe->ring[number % IN_FLIGHT_MAX];
}

/* Whether another packet may be sent now. */
static bool can_send(struct cmsis_dap *probe)
{
	unsigned in_flight = probe->sent - probe->answered;
	struct cmsis_dap_packet *next = packet_of(probe, probe->sent);

	if (in_flight >= probe->in_flight_max)
		return false;
	if (!probe->is_packed && probe->place.count > 0) {
		cmsis_dap_pack(&probe->place, probe->packets->size_max, next);
		probe->is_packed = true;
	}
	return probe->is_packed && (in_flight == 0 || next->may_follow);
}

static enum status send_next(struct cmsis_dap *probe, struct error *error)
{
	const struct cmsis_dap_packet *next = packet_of(probe, probe->sent);

	probe->is_packed = false;
	probe->sent++;
	return send(probe, next->request, next->size, error);
}

/* Report the first failure only; later transfers were already queued when it happened. */
static enum status take_answer(struct cmsis_dap *probe, enum dap_ack *ack, struct error *error)
{
	enum dap_ack one;

	enum status status = receive_until(probe, clock_now() + probe->timeout, error);
	if (status != STATUS_OK)
		return status;
	if (!cmsis_dap_unpack(packet_of(probe, probe->answered), probe->answer, probe->answer_size, &one))
		return fail_mismatch(probe, error);
	probe->answered++;
	if (*ack == DAP_OK)
		*ack = one;
	return STATUS_OK;
}

static enum status cmsis_dap_transfer(struct dap *dap, const struct dap_transfer *transfers, size_t count,
                                      enum dap_ack *ack, struct error *error)
{
	struct cmsis_dap *probe = (struct cmsis_dap *)dap;

	/* Further commands to disconnect would time out, or get answers to commands before the interruption. A device
	 * that is gone reports that again. */
	if ((probe->is_lost && !probe->packets->is_lost) || probe->sent != probe->answered)
		return status_fail(error, "%s: the probe no longer answers", dap->source);
	probe->place = (struct cmsis_dap_place){.transfers = transfers, .count = count};
	probe->is_packed = false;
	*ack = DAP_OK;
	for (;;) {
		enum status status;

		if (*ack == DAP_OK && can_send(probe))
			status = send_next(probe, error);
		else if (probe->sent != probe->answered)
			status = take_answer(probe, ack, error);
		else
			break;
		if (status != STATUS_OK)
			return resynchronise(probe, ack);
	}
	probe->losses = 0;
	return STATUS_OK;
}

static const struct dap_ops cmsis_dap_ops = {
        .send_bits = cmsis_dap_send_bits,
        .select_target = cmsis_dap_select_target,
        .transfer = cmsis_dap_transfer,
        .set_speed = cmsis_dap_set_speed,
        .drive_reset = cmsis_dap_drive_reset,
        .finish = cmsis_dap_finish,
        .close = cmsis_dap_close,
};

enum status cmsis_dap_open(struct packets *packets, const char *source, unsigned timeout, struct dap **dap,
                           struct error *error)
{
	struct cmsis_dap *probe = calloc(1, sizeof *probe);

	if (probe == NULL) {
		packets->ops->close(packets);
		return status_no_memory(error, source);
	}
	probe->dap.ops = &cmsis_dap_ops;
	snprintf(probe->dap.source, sizeof probe->dap.source, "%s", source);
	snprintf(probe->protocol, sizeof probe->protocol, "unknown");
	probe->packets = packets;
	probe->timeout = timeout;
	enum status status = query(probe, error);
	if (status == STATUS_OK)
		status = switch_to_swd(probe, error);
	if (status != STATUS_OK)
		cmsis_dap_close(&probe->dap);
	else
		*dap = &probe->dap;
	return status;
}
