/* SPDX-License-Identifier: MIT */
/* The connection; see riscv.h. */
#include "target/riscv/riscv_state.h"

#include <inttypes.h>
#include <stdlib.h>

/* Milliseconds to wait for an answer: a target does not answer while it powers up. */
#define CONNECT_TIME 500
/* Milliseconds that the target may be silent or busy while disconnecting. */
#define FINISH_TIME 300

static enum status check_module(struct riscv *riscv, struct error *error)
{
	const char *source = riscv_source(riscv);
	uint32_t word;

	enum status status = riscv_get(riscv, DM_STATUS, &word, error);
	if (status != STATUS_OK)
		return status;
	const uint32_t version = word & STATUS_VERSION;
	if (version != STATUS_0_13 && version != STATUS_1_0)
		return status_fail(error,
		                   "%s: the debug module is of a version that is not supported (dmstatus 0x%08" PRIx32
		                   "); use OpenOCD",
		                   source, word);
	riscv->has_implicit_ebreak = (word & STATUS_IMPLICIT_EBREAK) != 0;
	if (!(word & STATUS_AUTHENTICATED))
		return status_fail(error, "%s: the debug module is locked (dmstatus 0x%08" PRIx32 ")", source, word);
	if (word & STATUS_NONEXISTENT)
		return status_usage(error, "%s: there is no hart %" PRIu32, source, riscv->hart);
	if (word & STATUS_UNAVAILABLE)
		return status_fail(error, "%s: hart %" PRIu32 " is not available; is it powered?", source, riscv->hart);
	return STATUS_OK;
}

/* Chooses how to access memory. A program needs three instructions, the last of which may be implicit. */
static enum status choose_memory(struct riscv *riscv, struct error *error)
{
	uint32_t abstract = 0;

	enum status status = riscv_get(riscv, DM_SBCS, &riscv->bus, error);
	if (status == STATUS_OK)
		status = riscv_get(riscv, DM_ABSTRACTCS, &abstract, error);
	if (BUS_VERSION(riscv->bus) == BUS_VERSION_1 && BUS_ASIZE(riscv->bus) > 0 && riscv->bus & BUS_HAS_32)
		riscv->memory = &riscv_bus;
	else if (ABSTRACT_PROGRAM_SIZE(abstract) + riscv->has_implicit_ebreak >= 3)
		riscv->memory = &riscv_program;
	else
		riscv->memory = &riscv_abstract;
	return status;
}

static enum status await_transport(struct riscv *riscv, struct error *error)
{
	const struct clock *clock = riscv->setup.clock;
	const uint64_t deadline = clock->now() + CONNECT_TIME;

	for (riscv->ack = DAP_NO_ACK;;) {
		enum status status = riscv_attempt(riscv, NULL, NULL, error);

		if (status != STATUS_OK || riscv->ack == DAP_OK)
			return status;
		if (clock->now() >= deadline)
			return status_fail(error, "%s: %s", riscv_source(riscv), riscv_reason(riscv->ack));
	}
}

static enum status connect_module(struct riscv *riscv, struct error *error)
{
	struct pins *pins = riscv->dtm.jtag.pins;

	enum status status = pins->ops->set_speed(pins, &riscv->setup.speed, error);
	if (status == STATUS_OK)
		status = await_transport(riscv, error);
	riscv->is_connected = status == STATUS_OK;
	if (status == STATUS_OK)
		status = check_module(riscv, error);
	if (status == STATUS_OK)
		status = choose_memory(riscv, error);
	riscv_init_access(riscv);
	return status;
}

enum status riscv_connect(struct pins *pins, const struct adi_setup *setup, struct riscv **riscv, struct error *error)
{
	struct riscv *opened = calloc(1, sizeof *opened);

	*riscv = NULL;
	if (opened == NULL) {
		enum status status = status_no_memory(error, pins->source);

		pins->ops->close(pins);
		return status;
	}
	dtm_init(&opened->dtm, pins);
	opened->dtm.trace = setup->trace;
	opened->dtm.trace_context = setup->context;
	opened->setup = *setup;
	opened->hart = setup->core < 0 ? 0 : (uint32_t)setup->core;
	enum status status = connect_module(opened, error);
	if (status != STATUS_OK)
		riscv_close(opened);
	else
		*riscv = opened;
	return status;
}

void riscv_finish(struct riscv *riscv)
{
	struct error ignored;

	/* An interrupted target is not lost. */
	if (riscv_check_cancel(riscv, &ignored) != STATUS_OK)
		riscv->is_lost = false;
	riscv->setup.cancel = -1;
	if (riscv->setup.timeout > FINISH_TIME)
		riscv->setup.timeout = FINISH_TIME;
	riscv->dtm.jtag.pins->ops->finish(riscv->dtm.jtag.pins);
	/* An interrupted access has left its values in the firmware's registers. */
	if (riscv->has_saved && !riscv->is_lost)
		riscv->memory->end(riscv, &ignored);
}

bool riscv_is_lost(const struct riscv *riscv)
{
	return riscv->is_lost;
}

void riscv_close(struct riscv *riscv)
{
	struct error ignored;

	if (riscv == NULL)
		return;
	riscv_finish(riscv);
	/* After an interrupted reset or halt, dmcontrol still requests it. */
	if (riscv->is_connected && !riscv->is_lost)
		riscv_set(riscv, DM_CONTROL, riscv->is_module_ours ? 0 : riscv_control(riscv), &ignored);
	riscv->dtm.jtag.pins->ops->close(riscv->dtm.jtag.pins);
	free(riscv);
}

struct adi_traffic riscv_traffic(const struct riscv *riscv)
{
	struct adi_traffic traffic = access_traffic(&riscv->access);

	traffic.packets_lost = riscv->dtm.jtag.pins->packets_lost;
	traffic.is_speed_limit = riscv->dtm.jtag.pins->is_speed_limit;
	return traffic;
}
