/* SPDX-License-Identifier: MIT */
/* Control of a RISC-V hart; see core.h. */
#include "acquire/probe/probe_target.h"
#include "acquire/riscv/riscv.h"

static struct riscv *riscv_of(struct target *target)
{
	return ((struct probe_target *)target)->access->probe;
}

static enum status riscv_core_note_loss(struct target *target, enum status status)
{
	target->is_lost = *((struct probe_target *)target)->access->is_lost;
	return status;
}

static enum status riscv_core_identify(struct target *target, struct error *error)
{
	target->is_halted = false;
	return riscv_core_note_loss(target, riscv_is_halted(riscv_of(target), &target->found_halted, error));
}

static enum status riscv_core_halt(struct target *target, struct error *error)
{
	if (target->found_halted)
		return STATUS_OK;
	target->is_halted = true; /* the request may take effect even if it fails */
	return riscv_core_note_loss(target, riscv_halt(riscv_of(target), error));
}

static enum status riscv_core_resume(struct target *target, struct error *error)
{
	if (!target->is_halted)
		return STATUS_OK;
	enum status status = riscv_resume(riscv_of(target), error);
	target->is_halted = status != STATUS_OK;
	return riscv_core_note_loss(target, status);
}

static enum status riscv_core_reset(struct target *target, struct error *error)
{
	return riscv_core_note_loss(target, riscv_reset(riscv_of(target), error));
}

static enum status riscv_core_await_reset(struct target *target, struct error *error)
{
	enum status status = riscv_await_reset(riscv_of(target), error);

	return status == STATUS_OK ? riscv_core_identify(target, error) : riscv_core_note_loss(target, status);
}

static enum status riscv_core_is_halted(struct target *target, bool *halted, struct error *error)
{
	return riscv_core_note_loss(target, riscv_is_halted(riscv_of(target), halted, error));
}

static enum status riscv_core_read_pc(struct target *target, uint64_t *pc, struct error *error)
{
	return riscv_core_note_loss(target, riscv_read_pc(riscv_of(target), pc, error));
}

static enum status riscv_core_read_registers(struct target *target, struct core_registers *registers,
                                             struct error *error)
{
	struct riscv *riscv = riscv_of(target);

	enum status status = riscv_read_pc(riscv, &registers->pc, error);
	if (status == STATUS_OK)
		status = riscv_read_register(riscv, RISCV_RA, &registers->lr, error);
	if (status == STATUS_OK)
		status = riscv_read_register(riscv, RISCV_SP, &registers->sp, error);
	if (status == STATUS_OK)
		status = riscv_read_register(riscv, RISCV_S0, &registers->fp, error);
	return riscv_core_note_loss(target, status);
}

const struct core_ops core_riscv = {
        .for_sleep = "the hart halted, as does a system bus that cannot read while it runs",
        .identify = riscv_core_identify,
        .halt = riscv_core_halt,
        .resume = riscv_core_resume,
        .reset = riscv_core_reset,
        .await_reset = riscv_core_await_reset,
        .is_halted = riscv_core_is_halted,
        .read_pc = riscv_core_read_pc,
        .read_registers = riscv_core_read_registers,
};
