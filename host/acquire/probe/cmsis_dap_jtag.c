/* SPDX-License-Identifier: MIT */
/* See cmsis_dap.h. The JTAG pins, moved by DAP_JTAG_Sequence in runs of clocks with the same TMS. */
#include "acquire/probe/cmsis_dap.h"

#include "acquire/probe/cmsis_dap_probe.h"
#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

#define JTAG_SEQUENCE 0x14
/* A request: command, number of runs, then each run's header and TDI. An answer: command, status, then each run's
 * TDO. */
#define HEAD_SIZE   2u
#define RUNS_MAX    255u
#define RUN_BITS    64u   /* encoded as 0 */
#define RUN_TMS     0x40u /* in a run's header; the low bits are the number of clocks */
#define RUN_CAPTURE 0x80u

/* A packet: the clocks that it moves, and its request. */
struct part {
	size_t first, end;
	size_t size;
	uint8_t request[CMSIS_DAP_PACKET_MAX];
};

struct jtag_pins {
	struct pins pins;
	struct cmsis_dap_probe probe;
	struct part ring[CMSIS_DAP_IN_FLIGHT_MAX];
};

/* The bits to move. */
struct jtag_sequence {
	const uint8_t *tms, *tdi;
	uint8_t *tdo; /* NULL: not wanted */
	size_t count;
};

static struct jtag_pins *jtag_pins_of(struct pins *pins)
{
	return (struct jtag_pins *)pins;
}

static bool bit_at(const uint8_t *bits, size_t i)
{
	return (bits[i / 8] >> i % 8 & 1) != 0;
}

static void put_bit(uint8_t *bits, size_t i, bool is_high)
{
	const uint8_t mask = (uint8_t)(1u << i % 8);

	bits[i / 8] = (uint8_t)(is_high ? bits[i / 8] | mask : bits[i / 8] & ~mask);
}

/* The number of clocks from first on with the same TMS. */
static size_t tms_run_length(const struct jtag_sequence *sequence, size_t first)
{
	size_t i = first;

	while (i < sequence->count && i - first < RUN_BITS && bit_at(sequence->tms, i) == bit_at(sequence->tms, first))
		i++;
	return i - first;
}

/* Encodes as many runs as fit into packets of this size. */
static void pack_runs(const struct jtag_sequence *sequence, size_t first, size_t size_max, struct part *part)
{
	*part = (struct part){.first = first, .end = first, .size = HEAD_SIZE};
	part->request[0] = JTAG_SEQUENCE;
	while (part->end < sequence->count && part->request[1] < RUNS_MAX) {
		const size_t length = tms_run_length(sequence, part->end);
		uint8_t *run = part->request + part->size;

		if (part->size + 1 + (length + 7) / 8 > size_max)
			return;
		run[0] = (uint8_t)(RUN_CAPTURE | (bit_at(sequence->tms, part->end) ? RUN_TMS : 0) | length % RUN_BITS);
		for (size_t i = 0; i < length; i++)
			put_bit(run + 1, i, bit_at(sequence->tdi, part->end + i));
		part->size += 1 + (length + 7) / 8;
		part->end += length;
		part->request[1]++;
	}
}

/* False if the answer does not fit the request. */
static bool unpack_runs(const struct jtag_sequence *sequence, const struct part *part, const uint8_t *answer,
                        size_t size)
{
	size_t at = HEAD_SIZE;

	if (size < HEAD_SIZE || answer[0] != JTAG_SEQUENCE || answer[1] != 0)
		return false;
	for (size_t first = part->first, length; first < part->end; first += length) {
		length = tms_run_length(sequence, first);
		if (size - at < (length + 7) / 8)
			return false;
		for (size_t i = 0; i < length && sequence->tdo != NULL; i++)
			put_bit(sequence->tdo, first + i, bit_at(answer + at, i));
		at += (length + 7) / 8;
	}
	return true;
}

static enum status take_jtag_answer(struct jtag_pins *jtag, const struct jtag_sequence *sequence, struct error *error)
{
	struct cmsis_dap_probe *probe = &jtag->probe;
	const struct part *part = &jtag->ring[probe->answered % CMSIS_DAP_IN_FLIGHT_MAX];

	enum status status = cmsis_dap_receive(probe, clock_now() + probe->timeout, error);
	if (status != STATUS_OK)
		return status;
	if (!unpack_runs(sequence, part, probe->answer, probe->answer_size))
		return cmsis_dap_fail_mismatch(probe, error);
	probe->answered++;
	return STATUS_OK;
}

static enum status send_part(struct jtag_pins *jtag, const struct jtag_sequence *sequence, size_t *next,
                             struct error *error)
{
	struct cmsis_dap_probe *probe = &jtag->probe;
	struct part *part = &jtag->ring[probe->sent % CMSIS_DAP_IN_FLIGHT_MAX];

	pack_runs(sequence, *next, probe->packets->size_max, part);
	*next = part->end;
	probe->sent++;
	return cmsis_dap_send(probe, part->request, part->size, error);
}

static enum status move_pins(struct jtag_pins *jtag, const struct jtag_sequence *sequence, struct error *error)
{
	struct cmsis_dap_probe *probe = &jtag->probe;
	enum status status = STATUS_OK;
	size_t next = 0;

	while (status == STATUS_OK && (next < sequence->count || probe->sent != probe->answered))
		if (next < sequence->count && probe->sent - probe->answered < probe->in_flight_max)
			status = send_part(jtag, sequence, &next, error);
		else
			status = take_jtag_answer(jtag, sequence, error);
	return status;
}

/* Makes a lost packet look like a target that does not drive TDO, so that the caller reconnects. */
static enum status cmsis_dap_jtag_shift(struct pins *pins, const uint8_t *tms, const uint8_t *tdi, uint8_t *tdo,
                                        size_t count, struct error *error)
{
	struct jtag_pins *jtag = jtag_pins_of(pins);
	struct cmsis_dap_probe *probe = &jtag->probe;
	const struct jtag_sequence sequence = {.tms = tms, .tdi = tdi, .tdo = tdo, .count = count};

	if ((probe->is_lost && !probe->packets->is_lost) || probe->sent != probe->answered)
		return status_fail(error, "%s: the probe no longer answers", pins->source);
	enum status status = move_pins(jtag, &sequence, error);
	if (status == STATUS_OK) {
		probe->losses = 0;
		return STATUS_OK;
	}
	const bool is_usable = cmsis_dap_resynchronise(probe);
	pins->packets_lost = probe->packets_lost;
	if (!is_usable)
		return status;
	if (tdo != NULL)
		memset(tdo, 0xFF, (count + 7) / 8);
	return STATUS_OK;
}

static enum status cmsis_dap_jtag_set_speed(struct pins *pins, uint32_t *speed, struct error *error)
{
	return cmsis_dap_set_speed(&jtag_pins_of(pins)->probe, *speed, error);
}

static enum status cmsis_dap_jtag_drive_reset(struct pins *pins, bool is_low, struct error *error)
{
	return cmsis_dap_drive_reset(&jtag_pins_of(pins)->probe, is_low, error);
}

static void cmsis_dap_jtag_finish(struct pins *pins)
{
	cmsis_dap_finish(&jtag_pins_of(pins)->probe);
}

static void cmsis_dap_jtag_close(struct pins *pins)
{
	cmsis_dap_probe_close(&jtag_pins_of(pins)->probe);
	free(pins);
}

static const struct pins_ops jtag_pins_ops = {
        .shift_jtag = cmsis_dap_jtag_shift,
        .set_speed = cmsis_dap_jtag_set_speed,
        .drive_reset = cmsis_dap_jtag_drive_reset,
        .finish = cmsis_dap_jtag_finish,
        .close = cmsis_dap_jtag_close,
};

enum status cmsis_dap_open_jtag(struct packets *packets, const char *source, unsigned timeout, struct pins **pins,
                                struct error *error)
{
	struct jtag_pins *jtag = calloc(1, sizeof *jtag);

	if (jtag == NULL) {
		packets->ops->close(packets);
		return status_no_memory(error, source);
	}
	jtag->pins.ops = &jtag_pins_ops;
	jtag->pins.is_speed_limit = true;
	enum status status = cmsis_dap_probe_open(&jtag->probe, packets, source, timeout, error);
	memcpy(jtag->pins.source, jtag->probe.source, sizeof jtag->pins.source);
	if (status == STATUS_OK)
		status = cmsis_dap_connect(&jtag->probe, CMSIS_DAP_JTAG, error);
	if (status != STATUS_OK)
		cmsis_dap_jtag_close(&jtag->pins);
	else
		*pins = &jtag->pins;
	return status;
}
