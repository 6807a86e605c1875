/* SPDX-License-Identifier: MIT */
/* See sampler.h. Halts the core for each sample. */
#include "acquire/sample/sampler.h"

#include <inttypes.h>

static enum status halting_begin(struct target *target, bool *trace_was_enabled, struct error *error)
{
	*trace_was_enabled = false;
	if (target->core == NULL || target->core->read_pc == NULL)
		return status_fail(error, "%s: cannot halt the core for each read; a probe without a debug server can",
		                   target->source);
	enum status status = target->core->identify(target, error);
	if (status == STATUS_OK && target->found_halted)
		return status_fail(error, "%s: the core is halted, as a debugger left it: let it run there first",
		                   target->source);
	return status;
}

/* Reads registers before the stack, because reading memory changes registers of some cores. */
static enum status read_core(struct target *target, uint64_t *pc, struct stack_copies *stacks, struct error *error)
{
	struct core_registers registers;

	if (stacks == NULL)
		return target->core->read_pc(target, pc, error);
	enum status status = target->core->read_registers(target, &registers, error);
	if (status == STATUS_OK)
		status = stack_copies_take(stacks, target, &registers, error);
	*pc = registers.pc;
	return status;
}

static enum status read_one(struct target *target, uint32_t *word, struct stack_copies *stacks, struct error *error)
{
	uint64_t pc = 0;

	enum status status = target->core->halt(target, error);
	if (status == STATUS_OK)
		status = read_core(target, &pc, stacks, error);
	if (status == STATUS_OK)
		status = target->core->resume(target, error);
	if (status == STATUS_OK && pc >= UINT32_MAX)
		return status_fail(error, "%s: the program counter 0x%" PRIx64 " has more than 32 bits", target->source,
		                   pc);
	*word = (uint32_t)pc;
	return status;
}

static enum status halting_read(struct target *target, uint32_t *words, size_t count, struct stack_copies *stacks,
                                struct error *error)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; status == STATUS_OK && i < count; i++)
		status = read_one(target, &words[i], stacks, error);
	return status;
}

static enum status halting_check(struct target *target, struct error *error)
{
	(void)target, (void)error;
	return STATUS_OK;
}

static enum status halting_end(struct target *target, bool trace_was_enabled, struct error *error)
{
	(void)trace_was_enabled;
	return target->core != NULL ? target->core->resume(target, error) : STATUS_OK;
}

const struct sampler sampler_halting = {
        .halts = true, .begin = halting_begin, .read = halting_read, .check = halting_check, .end = halting_end};
