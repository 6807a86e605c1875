/* SPDX-License-Identifier: MIT */
/* See dtm.h. Comments cite sections of the specification, 0.13.2. */
#include "acquire/riscv/dtm.h"

#include "acquire/dap/jtag_dp.h"
#include "acquire/riscv/dtm_trace.h"

#include <string.h>

/* Instructions (6.1.2). */
#define INSTRUCTION_BITS_MIN 5u
#define DTMCS                0x10u
#define DMI                  0x11u

/* dtmcs (6.1.4). */
#define DTMCS_BITS      32u
#define DTMCS_VERSION   0xFu
#define DTMCS_0_13      1u /* also version 1.0 */
#define DTMCS_ABITS(w)  ((w) >> 4 & 0x3Fu)
#define DTMCS_IDLE(w)   ((w) >> 12 & 0x7u)
#define DTMCS_DMI_RESET 0x10000u
#define DTMCS_RESERVED  0xFFE08000u /* also zero in 1.0, except for the description of an error */

/* dmi (6.1.5). */
#define OP_MASK   3u
#define OP_READ   1u
#define OP_WRITE  2u
#define OP_OK     0u
#define OP_FAILED 2u
#define OP_BUSY   3u
#define ABITS_MAX (64u - DTM_ADDRESS_SHIFT)

/* The longest pause after a request. */
#define IDLE_MAX 256u

/* If nothing drives TDO, only ones arrive. */
static enum dap_ack dtm_decode(const void *device, uint64_t bits, uint32_t *word)
{
	const struct dtm *dtm = device;

	*word = (uint32_t)(bits >> DTM_DATA_SHIFT);
	if (bits == UINT64_MAX >> (64 - dtm->pipe.bits))
		return DAP_NO_ACK;
	switch (bits & OP_MASK) {
	case OP_OK:
		return DAP_OK;
	case OP_BUSY:
		return DAP_WAIT;
	case OP_FAILED:
		return DAP_FAULT;
	default:
		return DAP_PROTOCOL_ERROR;
	}
}

static size_t dtm_add_flush(void *device)
{
	struct dtm *dtm = device;

	jtag_add_instruction(&dtm->jtag, DMI);
	return jtag_add_data(&dtm->jtag, 0, dtm->pipe.bits);
}

/* The request in progress continues (6.1.4, dmireset). */
static size_t dtm_add_restart(void *device)
{
	struct dtm *dtm = device;

	jtag_add_instruction(&dtm->jtag, DTMCS);
	jtag_add_data(&dtm->jtag, DTMCS_DMI_RESET, DTMCS_BITS);
	return dtm_add_flush(dtm);
}

void dtm_init(struct dtm *dtm, struct pins *pins)
{
	static const struct jtag_pipe_ops ops = {
	        .decode = dtm_decode, .add_flush = dtm_add_flush, .add_restart = dtm_add_restart};

	*dtm = (struct dtm){.jtag = {.pins = pins}, .observer = &target_nobody, .pipe = {.ops = &ops}};
	dtm->pipe.device = dtm;
	dtm->pipe.jtag = &dtm->jtag;
}

static bool is_control(uint32_t word)
{
	return (word & DTMCS_VERSION) == DTMCS_0_13 && (word & DTMCS_RESERVED) == 0 && DTMCS_ABITS(word) >= 6 &&
	       DTMCS_ABITS(word) <= ABITS_MAX;
}

/* Reads dtmcs of the selected device, and clears errors of an earlier program. */
static enum status read_control(struct dtm *dtm, uint32_t *word, struct error *error)
{
	jtag_begin(&dtm->jtag);
	jtag_add_instruction(&dtm->jtag, DTMCS);
	const size_t place = jtag_add_data(&dtm->jtag, DTMCS_DMI_RESET, DTMCS_BITS);
	enum status status = jtag_run(&dtm->jtag, error);
	*word = (uint32_t)jtag_bits(&dtm->jtag, place, DTMCS_BITS);
	return status;
}

static void use_device(struct dtm *dtm, const struct jtag_device *device, uint32_t control)
{
	dtm->idcode = device->idcode;
	dtm->address_bits = DTMCS_ABITS(control);
	dtm->pipe.bits = DTM_ADDRESS_SHIFT + dtm->address_bits;
	dtm->pipe.count = 0;
	if (dtm->pipe.idle_min < DTMCS_IDLE(control))
		dtm->pipe.idle_min = DTMCS_IDLE(control);
	dtm->jtag.idle = dtm->pipe.idle_min;
}

/* Reads DTMCS only of possible transports: to other devices it may be any instruction; an FPGA may lose its
 * configuration. */
enum status dtm_connect(struct dtm *dtm, bool from_dormant, struct error *error)
{
	struct jtag *jtag = &dtm->jtag;

	dtm->idcode = 0;
	enum status status = jtag_examine(jtag, from_dormant, error);
	if (status == STATUS_OK && jtag_dp_find(jtag) < jtag->device_count)
		return STATUS_OK;
	for (size_t i = 0; status == STATUS_OK && dtm->idcode == 0 && i < jtag->device_count; i++) {
		const struct jtag_device *device = &jtag->devices[i];
		uint32_t control;

		if (device->idcode == 0 || device->instruction_bits < INSTRUCTION_BITS_MIN)
			continue;
		jtag_select(jtag, i);
		status = read_control(dtm, &control, error);
		if (status == STATUS_OK && is_control(control))
			use_device(dtm, device, control);
	}
	return status;
}

static void add_dmi_request(struct dtm *dtm, unsigned address, uint32_t word, unsigned op, uint32_t *destination)
{
	dtm->pipe.steps[dtm->pipe.count++] = (struct jtag_step){
	        .instruction = DMI,
	        .bits = (uint64_t)address << DTM_ADDRESS_SHIFT | (uint64_t)word << DTM_DATA_SHIFT | op,
	        .destination = destination,
	};
}

void dtm_add_read(struct dtm *dtm, unsigned address, uint32_t *word)
{
	add_dmi_request(dtm, address, 0, OP_READ, word);
}

void dtm_add_write(struct dtm *dtm, unsigned address, uint32_t word)
{
	add_dmi_request(dtm, address, word, OP_WRITE, NULL);
}

enum status dtm_run(struct dtm *dtm, enum dap_ack *ack, struct error *error)
{
	const size_t count = dtm->observer->trace != NULL ? dtm->pipe.count : 0;
	uint32_t unused;

	memcpy(dtm->traced, dtm->pipe.steps, count * sizeof *dtm->traced);
	enum status status = jtag_pipe_run(&dtm->pipe, ack, error);
	if (status == STATUS_OK)
		dtm_trace_steps(dtm, dtm->traced, count, *ack);
	if (status != STATUS_OK || *ack != DAP_FAULT)
		return status;
	return read_control(dtm, &unused, error);
}

bool dtm_slow_down(struct dtm *dtm)
{
	unsigned *idle = &dtm->pipe.idle_min;

	if (*idle >= IDLE_MAX)
		return false;
	*idle = *idle == 0 ? 4 : 2 * *idle;
	dtm->jtag.idle = *idle;
	return true;
}
