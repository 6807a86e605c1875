/* SPDX-License-Identifier: MIT */
/* Requests to the debug module. They are retried, after reconnecting if necessary, until they succeed or the target was
 * silent or busy for as long as setup allows. */
#include "acquire/riscv/riscv_state.h"

#include "base/wait.h"

const char *riscv_source(const struct riscv *riscv)
{
	return riscv->dtm.jtag.pins->source;
}

enum status riscv_check_cancel(const struct riscv *riscv, struct error *error)
{
	if (wait_pause(0, riscv->setup.cancel))
		return STATUS_OK;
	return status_fail(error, "%s: interrupted", riscv_source(riscv));
}

const char *riscv_reason(enum dap_ack ack)
{
	switch (ack) {
	case DAP_WAIT:
		return "the target's debug module stays busy; try a lower clock speed";
	case DAP_FAULT:
		return "the target's debug module fails requests; try a lower clock speed and shorter wires";
	default:
		return "the target does not answer; is it powered, and are TCK, TMS, TDI, TDO and GND connected?";
	}
}

uint32_t riscv_control(const struct riscv *riscv)
{
	return CONTROL_DMACTIVE | CONTROL_HART(riscv->hart);
}

/* The module is inactive after a reset. */
static enum status wake_module(struct riscv *riscv, struct error *error)
{
	uint32_t found = 0;

	enum status status = dtm_connect(&riscv->dtm, riscv->wakeups++ % 2 != 0, error);
	riscv->ack = riscv->dtm.idcode != 0 ? DAP_OK : DAP_NO_ACK;
	if (status != STATUS_OK || riscv->ack != DAP_OK)
		return status;
	dtm_add_read(&riscv->dtm, DM_CONTROL, &found);
	dtm_add_write(&riscv->dtm, DM_CONTROL, riscv_control(riscv));
	status = dtm_run(&riscv->dtm, &riscv->ack, error);
	if (status == STATUS_OK && riscv->ack == DAP_OK && !riscv->is_connected)
		riscv->is_module_ours = !(found & CONTROL_DMACTIVE);
	return status;
}

enum status riscv_attempt(struct riscv *riscv, void (*add)(struct riscv *riscv, void *context), void *context,
                          struct error *error)
{
	enum status status = riscv_check_cancel(riscv, error);

	if (status == STATUS_OK && riscv->ack != DAP_OK)
		status = wake_module(riscv, error);
	if (status == STATUS_OK && riscv->ack == DAP_OK && add != NULL) {
		riscv->dtm.pipe.count = 0;
		add(riscv, context);
		status = dtm_run(&riscv->dtm, &riscv->ack, error);
	}
	riscv->is_lost = status != STATUS_OK || riscv->ack != DAP_OK;
	if (!riscv->is_lost)
		riscv->wakeups = 0;
	return status;
}

enum status riscv_make(struct riscv *riscv, void (*add)(struct riscv *riscv, void *context), void *context,
                       struct error *error)
{
	const struct clock *clock = riscv->setup.clock;
	const uint64_t deadline = clock->now() + riscv->setup.timeout;

	for (;;) {
		enum status status = riscv_attempt(riscv, add, context, error);

		if (status != STATUS_OK || riscv->ack == DAP_OK)
			return status;
		if (clock->now() >= deadline)
			return status_fail(error, "%s: %s", riscv_source(riscv), riscv_reason(riscv->ack));
		riscv->access.traffic.repeats++;
		access_pause(&riscv->setup, 1);
	}
}

struct one {
	unsigned address;
	uint32_t word;
};

static void add_register_read(struct riscv *riscv, void *context)
{
	struct one *one = context;

	dtm_add_read(&riscv->dtm, one->address, &one->word);
}

static void add_register_write(struct riscv *riscv, void *context)
{
	const struct one *one = context;

	dtm_add_write(&riscv->dtm, one->address, one->word);
}

enum status riscv_get(struct riscv *riscv, unsigned address, uint32_t *word, struct error *error)
{
	struct one one = {.address = address};

	enum status status = riscv_make(riscv, add_register_read, &one, error);
	*word = one.word;
	return status;
}

enum status riscv_set(struct riscv *riscv, unsigned address, uint32_t word, struct error *error)
{
	struct one one = {.address = address, .word = word};

	return riscv_make(riscv, add_register_write, &one, error);
}
