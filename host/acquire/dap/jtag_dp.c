/* SPDX-License-Identifier: MIT */
/* See jtag_dp.h. With overrun detection, a request that comes too early sets a flag, and the port then discards all
 * accesses to access ports. Comments cite sections of IHI 0031. */
#include "acquire/dap/jtag_dp.h"

#include "acquire/dap/jtag_pipe.h"
#include "acquire/dap/registers.h"

#include <stdlib.h>
#include <string.h>

/* Instructions (B3.2.2), of 4 bits, or of 8 in some ports of version 3 (IHI 0074, B3.2). */
#define ABORT 0xF8u
#define DPACC 0xFAu
#define APACC 0xFBu

/* A scan of DPACC, APACC or ABORT (B3.2.3): RnW and A[3:2], or the acknowledge, then the word. */
#define SCAN_BITS     35u
#define SCAN_ACK_MASK 7u
#define SCAN_WAIT     1u
#define SCAN_OK       2u /* or FAULT, which CTRL/STAT shows */
#define SCAN_OK_3     4u /* OK in version 3 (IHI 0074, B3.2.4) */
#define WORD_SHIFT    3u

/* Arm as the designer in an IDCODE (12.1.1; JEP106: bank 4, 0x3B). Arm's debug ports have this designer in every
 * chip. */
#define IDCODE_DESIGNER(idcode) ((idcode) >> 1 & 0x7FFu)
#define DESIGNER_ARM            0x23Bu

struct jtag_dp {
	struct dap dap;
	struct jtag jtag;
	uint32_t idcode; /* IDCODE of the port; 0: never found */
	bool is_version_3;
	uint32_t bank;    /* SELECT.DPBANKSEL */
	uint32_t control; /* CTRL/STAT as last written */
	/* The list of transfers from the next request on. */
	const struct dap_transfer *transfers;
	size_t left;
	uint32_t done; /* words already done of the first transfer */
	struct jtag_pipe pipe;
};

static struct jtag_dp *jtag_dp_of(struct dap *dap)
{
	return (struct jtag_dp *)dap;
}

bool jtag_dp_is_port(const struct jtag_device *device)
{
	return IDCODE_DESIGNER(device->idcode) == DESIGNER_ARM &&
	       (device->instruction_bits == 4 || device->instruction_bits == 8);
}

size_t jtag_dp_find(const struct jtag *jtag)
{
	size_t i = 0;

	while (i < jtag->device_count && !jtag_dp_is_port(&jtag->devices[i]))
		i++;
	return i;
}

static bool has_debug_port(const struct jtag_dp *port)
{
	return port->jtag.selected < port->jtag.device_count;
}

/* The bits of a scan for a register. */
static uint64_t scan_of(uint8_t reg, uint32_t word)
{
	return (uint64_t)word << WORD_SHIFT | (reg & DAP_READ ? 1u : 0u) | (reg & 0xCu) >> 1;
}

static uint32_t jtag_word_to_write(struct jtag_dp *port, uint8_t reg, uint32_t word)
{
	if (reg == DP_SELECT)
		port->bank = word & 0xFu;
	if (reg != DP_CTRL_STAT || port->bank != 0)
		return word;
	port->control = word;
	return word | CTRL_ORUNDETECT;
}

/* Queues a scan of DPACC. Returns the place of its bits in the stream. */
static size_t add_access(struct jtag_dp *port, uint8_t reg, uint32_t word)
{
	jtag_add_instruction(&port->jtag, DPACC);
	return jtag_add_data(&port->jtag, scan_of(reg, word), SCAN_BITS);
}

static void add_abort(struct jtag_dp *port)
{
	jtag_add_instruction(&port->jtag, ABORT);
	jtag_add_data(&port->jtag, (uint64_t)ABORT_DAPABORT << WORD_SHIFT, SCAN_BITS);
}

/* The acknowledge shows version 3, unless the port is busy or faulty: aborts an access in progress and clears errors
 * first. A reset of the chain may leave a bank other than DPIDR's selected. */
static enum status find_version(struct jtag_dp *port, struct error *error)
{
	enum status status = STATUS_OK;
	uint64_t ack = SCAN_WAIT;

	for (unsigned tries = 0; status == STATUS_OK && ack == SCAN_WAIT && tries < 2; tries++) {
		jtag_begin(&port->jtag);
		if (tries > 0)
			add_abort(port);
		add_access(port, DP_SELECT, 0);
		add_access(port, DP_CTRL_STAT, port->control | CTRL_ORUNDETECT | CTRL_STICKY);
		add_access(port, DP_RDBUFF, 0);
		const size_t place = add_access(port, DP_RDBUFF, 0);
		status = jtag_run(&port->jtag, error);
		ack = status == STATUS_OK ? jtag_bits(&port->jtag, place, SCAN_BITS) & SCAN_ACK_MASK : 0;
	}
	port->is_version_3 = port->is_version_3 || ack == SCAN_OK_3;
	return status;
}

static enum status jtag_dp_wake(struct dap *dap, bool from_dormant, struct error *error)
{
	struct jtag_dp *port = jtag_dp_of(dap);

	enum status status = jtag_examine(&port->jtag, from_dormant, error);
	if (status != STATUS_OK)
		return status;
	port->bank = 0;
	jtag_select(&port->jtag, jtag_dp_find(&port->jtag));
	if (!has_debug_port(port))
		return STATUS_OK;
	port->idcode = port->jtag.devices[port->jtag.selected].idcode;
	return find_version(port, error);
}

/* Queues the next request. */
static void add_next_scan(struct jtag_dp *port)
{
	const struct dap_transfer *next = port->transfers;
	uint32_t *word = next->words + port->done;
	struct jtag_step *step = &port->pipe.steps[port->pipe.count++];

	*step = (struct jtag_step){.instruction = next->reg & DAP_AP ? APACC : DPACC};
	if (next->reg & DAP_READ)
		step->destination = word;
	step->bits = scan_of(next->reg, next->reg & DAP_READ ? 0 : jtag_word_to_write(port, next->reg, *word));
	if (++port->done < next->count)
		return;
	port->done = 0;
	port->transfers++;
	port->left--;
}

/* A write to the debug port must begin a stream: after an overrun it would take effect before the discarded accesses.
 * ABORT is an instruction of its own. */
static void fill_pipe(struct jtag_dp *port)
{
	while (port->pipe.count < JTAG_PIPE_STEPS_MAX && port->left > 0) {
		const uint8_t reg = port->transfers->reg;

		if (reg == DP_ABORT || (port->pipe.count > 0 && !(reg & (DAP_AP | DAP_READ))))
			break;
		add_next_scan(port);
	}
}

/* An acknowledge that no port sends means that nothing drives TDO. */
static enum dap_ack jtag_dp_decode(const void *device, uint64_t bits, uint32_t *word)
{
	const struct jtag_dp *port = device;

	*word = (uint32_t)(bits >> WORD_SHIFT);
	switch (bits & SCAN_ACK_MASK) {
	case SCAN_OK:
		return DAP_OK;
	case SCAN_OK_3:
		return port->is_version_3 ? DAP_OK : DAP_NO_ACK;
	case SCAN_WAIT:
		return DAP_WAIT;
	default:
		return DAP_NO_ACK;
	}
}

static size_t jtag_dp_add_flush(void *device)
{
	return add_access(device, DP_RDBUFF, 0);
}

/* Clears the overrun (B3.3.1). */
static size_t jtag_dp_add_restart(void *device)
{
	struct jtag_dp *port = device;

	return add_access(port, DP_CTRL_STAT, port->control | CTRL_ORUNDETECT | CTRL_STICKYORUN);
}

static const struct jtag_pipe_ops pipe_ops = {
        .decode = jtag_dp_decode, .add_flush = jtag_dp_add_flush, .add_restart = jtag_dp_add_restart};

/* --- Transfers. */

/* Flags are cleared by writing ones to CTRL/STAT (B2.2.2); ABORT only aborts an access. */
static enum status write_abort(struct jtag_dp *port, uint32_t word, enum dap_ack *ack, struct error *error)
{
	jtag_begin(&port->jtag);
	if (word & ABORT_DAPABORT)
		add_abort(port);
	if (word & ABORT_CLEAR_ALL)
		add_access(port, DP_CTRL_STAT, port->control | CTRL_ORUNDETECT | CTRL_STICKY);
	const size_t place = add_access(port, DP_RDBUFF, 0);
	enum status status = jtag_run(&port->jtag, error);
	uint32_t unused;
	if (status == STATUS_OK)
		*ack = jtag_dp_decode(port, jtag_bits(&port->jtag, place, SCAN_BITS), &unused);
	return status;
}

/* Version 0 has no DPIDR, and over JTAG looks like versions 1 and 2. Its IDCODE replaces DPIDR, and it is treated as
 * version 1, which has the same registers. */
static void replace_id(struct jtag_dp *port)
{
	while (!port->is_version_3 && port->left > 0 && port->transfers->reg == DP_DPIDR) {
		*port->transfers->words = (port->idcode & ~0xF000u) | 0x1000u;
		port->transfers++;
		port->left--;
	}
}

static enum status jtag_dp_transfer(struct dap *dap, const struct dap_transfer *transfers, size_t count,
                                    enum dap_ack *ack, struct error *error)
{
	struct jtag_dp *port = jtag_dp_of(dap);
	enum status status = STATUS_OK;

	*ack = has_debug_port(port) ? DAP_OK : DAP_NO_ACK;
	port->transfers = transfers;
	port->left = count;
	port->done = 0;
	while (status == STATUS_OK && *ack == DAP_OK && port->left > 0) {
		replace_id(port);
		fill_pipe(port);
		status = jtag_pipe_run(&port->pipe, ack, error);
		if (status != STATUS_OK || *ack != DAP_OK || port->left == 0 || port->transfers->reg != DP_ABORT)
			continue;
		status = write_abort(port, *port->transfers->words, ack, error);
		port->transfers++;
		port->left--;
	}
	dap->packets_lost = port->jtag.pins->packets_lost;
	return status;
}

static enum status jtag_dp_set_speed(struct dap *dap, uint32_t *speed, struct error *error)
{
	struct pins *pins = jtag_dp_of(dap)->jtag.pins;

	return pins->ops->set_speed(pins, speed, error);
}

static enum status jtag_dp_drive_reset(struct dap *dap, bool is_low, struct error *error)
{
	struct pins *pins = jtag_dp_of(dap)->jtag.pins;

	return pins->ops->drive_reset(pins, is_low, error);
}

static void jtag_dp_finish(struct dap *dap)
{
	struct pins *pins = jtag_dp_of(dap)->jtag.pins;

	pins->ops->finish(pins);
}

/* Switches overrun detection off: the next user of the debug port may not expect it. */
static void jtag_dp_close(struct dap *dap)
{
	struct jtag_dp *port = jtag_dp_of(dap);
	struct pins *pins = port->jtag.pins;
	struct error ignored;

	if (has_debug_port(port)) {
		jtag_begin(&port->jtag);
		add_access(port, DP_SELECT, 0);
		add_access(port, DP_CTRL_STAT, port->control);
		jtag_run(&port->jtag, &ignored);
	}
	pins->ops->close(pins);
	free(port);
}

static const struct dap_ops jtag_dp_ops = {
        .wake = jtag_dp_wake,
        .transfer = jtag_dp_transfer,
        .set_speed = jtag_dp_set_speed,
        .drive_reset = jtag_dp_drive_reset,
        .finish = jtag_dp_finish,
        .close = jtag_dp_close,
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
	port->dap.is_speed_limit = pins->is_speed_limit;
	port->jtag.pins = pins;
	port->pipe = (struct jtag_pipe){.ops = &pipe_ops, .device = port, .jtag = &port->jtag, .bits = SCAN_BITS};
	*dap = &port->dap;
	return STATUS_OK;
}
