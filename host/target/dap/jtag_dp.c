/* SPDX-License-Identifier: MIT */
/* See jtag_dp.h. Each scan returns the acknowledge and the word of the request before it. With overrun detection the
 * first request that comes too early sets a flag which discards all later ones, so a stream can be sent without checks
 * in between. Sections are those of IHI 0031. */
#include "target/dap/jtag_dp.h"

#include "target/dap/registers.h"

#include <stdlib.h>
#include <string.h>

/* Instructions (B3.2.2), and their bits. */
#define INSTRUCTION_BITS 4u
#define ABORT            0x8u
#define DPACC            0xAu
#define APACC            0xBu

/* A scan of DPACC, APACC or ABORT (B3.2.3): RnW and A[3:2], or the acknowledge, then the word. */
#define SCAN_BITS  35u
#define SCAN_ACK   3u
#define SCAN_WAIT  1u
#define SCAN_OK    2u
#define WORD_SHIFT 3u

/* The designer Arm in an identity (12.1.1; JEP106: bank 4, 0x3B). Arm's debug ports have it in all devices. */
#define IDCODE_DESIGNER(idcode) ((idcode) >> 1 & 0x7FFu)
#define DESIGNER_ARM            0x23Bu

/* Requests of a stream. */
#define STEPS_MAX 512u
/* WAIT acknowledges in a row that end a transfer. Each doubles the pause between scans, up to IDLE_MAX clocks. */
#define WAITS_MAX 64
#define IDLE_MAX  128u

struct step {
	uint8_t reg;
	uint32_t word;         /* to write */
	uint32_t *destination; /* of the word read; NULL = none */
};

struct jtag_dp {
	struct dap dap;
	struct jtag jtag;
	uint32_t idcode;  /* of the port; 0 = never found */
	uint32_t bank;    /* SELECT.DPBANKSEL */
	uint32_t control; /* CTRL/STAT as last written */
	/* The list of transfers from the next request on, and the requests of a stream. */
	const struct dap_transfer *transfers;
	size_t left;
	uint32_t done; /* of the first transfer */
	size_t count;
	struct step steps[STEPS_MAX + 1];
	size_t places[STEPS_MAX + 1];
};

static struct jtag_dp *of(struct dap *dap)
{
	return (struct jtag_dp *)dap;
}

bool jtag_dp_is_port(const struct jtag_device *device)
{
	return IDCODE_DESIGNER(device->idcode) == DESIGNER_ARM && device->instruction_bits == INSTRUCTION_BITS;
}

size_t jtag_dp_find(const struct jtag *jtag)
{
	size_t i = 0;

	while (i < jtag->device_count && !jtag_dp_is_port(&jtag->devices[i]))
		i++;
	return i;
}

static enum status wake(struct dap *dap, bool from_dormant, struct error *error)
{
	struct jtag_dp *port = of(dap);

	enum status status = jtag_examine(&port->jtag, from_dormant, error);
	if (status != STATUS_OK)
		return status;
	port->bank = 0;
	port->jtag.selected = jtag_dp_find(&port->jtag);
	if (port->jtag.selected < port->jtag.device_count)
		port->idcode = port->jtag.devices[port->jtag.selected].idcode;
	return STATUS_OK;
}

static bool is_found(const struct jtag_dp *port)
{
	return port->jtag.selected < port->jtag.device_count;
}

/* --- One stream. */

static uint32_t word_to_write(struct jtag_dp *port, uint8_t reg, uint32_t word)
{
	if (reg == DP_SELECT)
		port->bank = word & 0xFu;
	if (reg != DP_CTRL_STAT || port->bank != 0)
		return word;
	port->control = word;
	return word | CTRL_ORUNDETECT;
}

static void add_next(struct jtag_dp *port)
{
	const struct dap_transfer *next = port->transfers;
	uint32_t *word = next->words + port->done;
	struct step *step = &port->steps[port->count++];

	*step = (struct step){.reg = next->reg};
	if (next->reg & DAP_READ)
		step->destination = word;
	else
		step->word = word_to_write(port, next->reg, *word);
	if (++port->done < next->count)
		return;
	port->done = 0;
	port->transfers++;
	port->left--;
}

/* A write to the debug port begins a stream: after an overrun it would take effect before the accesses that were
 * discarded. ABORT is an instruction of its own. */
static void fill(struct jtag_dp *port)
{
	while (port->count < STEPS_MAX && port->left > 0) {
		const uint8_t reg = port->transfers->reg;

		if (reg == DP_ABORT || (port->count > 0 && !(reg & (DAP_AP | DAP_READ))))
			break;
		add_next(port);
	}
}

static size_t add_request(struct jtag_dp *port, uint8_t reg, uint32_t word)
{
	const uint64_t head = (reg & DAP_READ ? 1u : 0u) | (reg & 0xCu) >> 1;

	jtag_add_instruction(&port->jtag, reg & DAP_AP ? APACC : DPACC);
	return jtag_add_data(&port->jtag, (uint64_t)word << WORD_SHIFT | head, SCAN_BITS);
}

/* Sends as many steps as fit, and a read of RDBUFF for the result of the last. Returns the number of steps sent. */
static enum status send_steps(struct jtag_dp *port, size_t *sent, struct error *error)
{
	size_t i = 0;

	jtag_begin(&port->jtag);
	for (; i < port->count && jtag_has_room(&port->jtag, 2, SCAN_BITS); i++)
		port->places[i] = add_request(port, port->steps[i].reg, port->steps[i].word);
	port->places[i] = add_request(port, DP_RDBUFF, 0);
	*sent = i;
	return jtag_run(&port->jtag, error);
}

/* A value that no port sends means that nothing drives TDO. */
static enum dap_ack ack_at(const struct jtag_dp *port, size_t place)
{
	switch (jtag_bits(&port->jtag, place, SCAN_ACK)) {
	case SCAN_OK:
		return DAP_OK;
	case SCAN_WAIT:
		return DAP_WAIT;
	default:
		return DAP_NO_ACK;
	}
}

static void store(const struct jtag_dp *port, const struct step *step, size_t place)
{
	if (step->destination != NULL)
		*step->destination = (uint32_t)jtag_bits(&port->jtag, place + WORD_SHIFT, 32);
}

/* Takes the results of the steps that were sent. After a WAIT, the last of the *taken ones was still in progress: the
 * next scan that is accepted returns its result (B3.3.1). *outstanding: that step, if no scan of the stream did; else
 * NULL. */
static enum dap_ack take_answers(const struct jtag_dp *port, size_t sent, size_t *taken,
                                 const struct step **outstanding)
{
	enum dap_ack ack = ack_at(port, port->places[0]);

	*taken = 0;
	*outstanding = NULL;
	while (ack == DAP_OK && *taken < sent) {
		*outstanding = &port->steps[(*taken)++];
		ack = ack_at(port, port->places[*taken]);
		for (size_t i = *taken; *outstanding != NULL && i <= sent; i++)
			if (ack_at(port, port->places[i]) == DAP_OK) {
				store(port, *outstanding, port->places[i]);
				*outstanding = NULL;
			}
	}
	return ack;
}

/* Clears the overrun, when the port is ready. step: whose result is outstanding; NULL = none. */
static enum status finish_step(struct jtag_dp *port, const struct step *step, enum dap_ack *ack, struct error *error)
{
	for (unsigned waits = 0; waits < WAITS_MAX; waits++) {
		jtag_begin(&port->jtag);
		const size_t place = add_request(port, DP_CTRL_STAT, port->control | CTRL_ORUNDETECT | CTRL_STICKYORUN);
		enum status status = jtag_run(&port->jtag, error);
		if (status != STATUS_OK)
			return status;
		*ack = ack_at(port, place);
		if (*ack == DAP_OK && step != NULL)
			store(port, step, place);
		if (*ack != DAP_WAIT)
			return STATUS_OK;
	}
	return STATUS_OK;
}

/* An access port that is always slow ends at the pause that it needs; a single WAIT costs little. */
static void adapt_pause(struct jtag *jtag, enum dap_ack ack)
{
	if (ack != DAP_WAIT) {
		jtag->idle -= jtag->idle > 0;
		return;
	}
	jtag->idle = jtag->idle == 0 ? 1 : jtag->idle < IDLE_MAX ? 2 * jtag->idle : IDLE_MAX;
}

/* Sends the queued requests; after a WAIT goes on with those that were discarded. */
static enum status send_all(struct jtag_dp *port, enum dap_ack *ack, struct error *error)
{
	unsigned waits = 0;

	while (*ack == DAP_OK && port->count > 0) {
		const struct step *outstanding;
		size_t sent, taken;
		enum status status = send_steps(port, &sent, error);

		if (status != STATUS_OK)
			return status;
		*ack = take_answers(port, sent, &taken, &outstanding);
		adapt_pause(&port->jtag, *ack);
		waits = taken > 0 ? 0 : waits + 1;
		if (*ack == DAP_WAIT && waits < WAITS_MAX) {
			status = finish_step(port, outstanding, ack, error);
			if (status != STATUS_OK)
				return status;
		}
		port->count -= taken;
		memmove(port->steps, port->steps + taken, port->count * sizeof *port->steps);
	}
	return STATUS_OK;
}

/* --- Transfers. */

/* Flags are cleared by writing ones to CTRL/STAT (B2.2.2); ABORT only aborts an access. */
static enum status write_abort(struct jtag_dp *port, uint32_t word, enum dap_ack *ack, struct error *error)
{
	jtag_begin(&port->jtag);
	if (word & ABORT_DAPABORT) {
		jtag_add_instruction(&port->jtag, ABORT);
		jtag_add_data(&port->jtag, (uint64_t)ABORT_DAPABORT << WORD_SHIFT, SCAN_BITS);
	}
	if (word & ABORT_CLEAR_ALL)
		add_request(port, DP_CTRL_STAT, port->control | CTRL_ORUNDETECT | CTRL_STICKY);
	const size_t place = add_request(port, DP_RDBUFF, 0);
	enum status status = jtag_run(&port->jtag, error);
	if (status == STATUS_OK)
		*ack = ack_at(port, place);
	return status;
}

/* The port has no DPIDR in version 0; its identity by JTAG takes that place, as version 1, whose registers are the
 * same.
 */
static void replace_id(struct jtag_dp *port)
{
	while (port->left > 0 && port->transfers->reg == DP_DPIDR) {
		*port->transfers->words = (port->idcode & ~0xF000u) | 0x1000u;
		port->transfers++;
		port->left--;
	}
}

static enum status transfer(struct dap *dap, const struct dap_transfer *transfers, size_t count, enum dap_ack *ack,
                            struct error *error)
{
	struct jtag_dp *port = of(dap);
	enum status status = STATUS_OK;

	*ack = is_found(port) ? DAP_OK : DAP_NO_ACK;
	port->transfers = transfers;
	port->left = count;
	port->done = 0;
	port->count = 0;
	while (status == STATUS_OK && *ack == DAP_OK && port->left > 0) {
		replace_id(port);
		fill(port);
		status = send_all(port, ack, error);
		if (status != STATUS_OK || *ack != DAP_OK || port->left == 0 || port->transfers->reg != DP_ABORT)
			continue;
		status = write_abort(port, *port->transfers->words, ack, error);
		port->transfers++;
		port->left--;
	}
	dap->packets_lost = port->jtag.pins->packets_lost;
	return status;
}

static enum status set_speed(struct dap *dap, uint32_t *speed, struct error *error)
{
	struct pins *pins = of(dap)->jtag.pins;

	return pins->ops->set_speed(pins, speed, error);
}

static enum status drive_reset(struct dap *dap, bool is_reset, struct error *error)
{
	struct pins *pins = of(dap)->jtag.pins;

	return pins->ops->drive_reset(pins, is_reset, error);
}

static void finish(struct dap *dap)
{
	struct pins *pins = of(dap)->jtag.pins;

	pins->ops->finish(pins);
}

/* The next user of the debug port may not expect overrun detection. */
static void close_jtag(struct dap *dap)
{
	struct jtag_dp *port = of(dap);
	struct pins *pins = port->jtag.pins;
	struct error ignored;

	if (is_found(port)) {
		jtag_begin(&port->jtag);
		add_request(port, DP_SELECT, 0);
		add_request(port, DP_CTRL_STAT, port->control);
		jtag_run(&port->jtag, &ignored);
	}
	pins->ops->close(pins);
	free(port);
}

static const struct dap_ops jtag_dp_ops = {
        .wake = wake,
        .transfer = transfer,
        .set_speed = set_speed,
        .drive_reset = drive_reset,
        .finish = finish,
        .close = close_jtag,
};

enum status jtag_dp_open(struct pins *pins, struct dap **dap, struct error *error)
{
	struct jtag_dp *port = calloc(1, sizeof *port);

	if (port == NULL) {
		enum status status = status_no_memory(error, pins->source);

		pins->ops->close(pins);
		return status;
	}
	port->dap.ops = &jtag_dp_ops;
	memcpy(port->dap.source, pins->source, sizeof port->dap.source);
	port->jtag.pins = pins;
	*dap = &port->dap;
	return STATUS_OK;
}
