/* SPDX-License-Identifier: MIT */
/* The connection; see riscv.h. */
#include "acquire/riscv/riscv_state.h"

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

static void riscv_finish(void *probe)
{
	struct riscv *riscv = probe;
	struct error ignored;

	/* A target is not lost if its access was only interrupted. */
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

static void riscv_close(void *probe)
{
	struct riscv *riscv = probe;
	struct error ignored;

	/* After an interrupted reset or halt, dmcontrol still requests it. */
	if (riscv->is_connected && !riscv->is_lost)
		riscv_set(riscv, DM_CONTROL, riscv->is_module_ours ? 0 : riscv_control(riscv), &ignored);
	riscv->dtm.jtag.pins->ops->close(riscv->dtm.jtag.pins);
	free(riscv);
}

static enum status riscv_drive_reset(void *probe, bool is_low, struct error *error)
{
	struct riscv *riscv = probe;
	struct pins *pins = riscv->dtm.jtag.pins;

	return pins->ops->drive_reset(pins, is_low, error);
}

static const struct probe_ops riscv_ops = {.transfer = riscv_transfer,
                                           .recover = riscv_recover,
                                           .fail = riscv_fail,
                                           .begin = riscv_begin,
                                           .end = riscv_end,
                                           .drive_reset = riscv_drive_reset,
                                           .finish = riscv_finish,
                                           .close = riscv_close};

static void riscv_init_access(struct riscv *riscv)
{
	const struct pins *pins = riscv->dtm.jtag.pins;

	riscv->access = (struct access){.ops = &riscv_ops,
	                                .probe = riscv,
	                                .setup = &riscv->setup,
	                                .source = riscv_source(riscv),
	                                .is_lost = &riscv->is_lost,
	                                .packets_lost = &pins->packets_lost,
	                                .is_speed_limit = &pins->is_speed_limit,
	                                .words = riscv->words,
	                                .units_max = RISCV_BLOCK_WORDS,
	                                .units_now = RISCV_BLOCK_WORDS,
	                                .traffic.speed = riscv->setup.speed};
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

enum status riscv_connect(struct pins *pins, const struct target_setup *setup, struct access **access,
                          struct error *error)
{
	struct riscv *opened = calloc(1, sizeof *opened);

	*access = NULL;
	if (opened == NULL) {
		enum status status = status_no_memory(error, pins->source);

		pins->ops->close(pins);
		return status;
	}
	dtm_init(&opened->dtm, pins);
	opened->dtm.observer = setup->observer;
	opened->setup = *setup;
	opened->hart = setup->core < 0 ? 0 : (uint32_t)setup->core;
	enum status status = connect_module(opened, error);
	if (status == STATUS_OK) {
		*access = &opened->access;
	} else {
		riscv_finish(opened);
		riscv_close(opened);
	}
	return status;
}
