/* SPDX-License-Identifier: MIT */
/* Accesses to memory by riscv_memory: a block of an access is a stream of requests. */
#include "acquire/riscv/riscv_state.h"

#include <inttypes.h>
#include <stdio.h>

/* The requests of a block. */
struct riscv_list {
	const struct access_block *block;
	uint32_t *result;
};

static void add_block_requests(struct riscv *riscv, void *context)
{
	const struct riscv_list *list = context;
	const struct riscv_memory *memory = riscv->memory;

	(list->block->is_write ? memory->add_write : memory->add_read)(riscv, list->block, list->result);
}

/* Reports DAP_WAIT if the transport failed, so that only the time-out ends the attempts: the target may have been
 * reset. */
enum status riscv_transfer(void *probe, struct access_block *block, struct access_result *result, struct error *error)
{
	struct riscv *riscv = probe;
	const struct riscv_memory *memory = riscv->memory;
	struct riscv_list list = {.block = block, .result = &result->status};

	for (;; riscv->access.traffic.repeats++) {
		enum status status = riscv_attempt(riscv, add_block_requests, &list, error);

		result->ack = riscv->ack == DAP_OK ? DAP_OK : DAP_WAIT;
		if (status != STATUS_OK || riscv->ack != DAP_OK)
			return status;
		if (memory->error_of(result->status) != NULL)
			result->ack = DAP_FAULT;
		else if (memory->is_too_fast(result->status) && !dtm_slow_down(&riscv->dtm))
			return status_fail(error, "%s: the target's memory stays busy; try a lower clock speed",
			                   riscv_source(riscv));
		if (result->ack != DAP_OK || !memory->is_too_fast(result->status))
			return STATUS_OK;
	}
}

enum status riscv_recover(void *probe, struct access_result *result, unsigned tries, struct error *error)
{
	struct riscv *riscv = probe;

	(void)tries;
	(void)error;
	if (result->ack == DAP_WAIT)
		access_pause(&riscv->setup, 1);
	return STATUS_OK;
}

enum status riscv_fail(void *probe, const struct access_block *block, const struct access_result *result,
                       struct error *error)
{
	const struct riscv *riscv = probe;

	if (riscv->ack != DAP_OK)
		return status_fail(error, "%s: %s", riscv_source(riscv), riscv_reason(riscv->ack));
	return status_fail(error, "%s: cannot %s memory at 0x%" PRIx64 ": %s (%s 0x%08" PRIx32 ")", riscv_source(riscv),
	                   block->is_write ? "write" : "read", block->address, riscv->memory->error_of(result->status),
	                   riscv->memory->result_name, result->status);
}

/* The width of a hart is known once an access has begun. */
enum status riscv_begin(void *probe, struct error *error)
{
	struct riscv *riscv = probe;
	const bool is_bus = riscv->memory == &riscv_bus;

	enum status status = riscv->memory->begin != NULL ? riscv->memory->begin(riscv, error) : STATUS_OK;
	const unsigned bits = is_bus ? BUS_ASIZE(riscv->bus) : riscv->register_size == COMMAND_64 ? 64 : 32;
	riscv->access.last = bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
	riscv->access.has_bytes = is_bus && riscv->bus & BUS_HAS_8;
	snprintf(riscv->access.name, sizeof riscv->access.name, "the %s of %u bits", is_bus ? "system bus" : "hart",
	         bits);
	return status;
}

enum status riscv_end(void *probe, struct error *error)
{
	struct riscv *riscv = probe;

	return riscv->memory->end != NULL ? riscv->memory->end(riscv, error) : STATUS_OK;
}
