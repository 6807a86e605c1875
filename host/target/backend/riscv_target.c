/* SPDX-License-Identifier: MIT */
/* See riscv_target.h. */
#include "target/backend/riscv_target.h"

#include "target/riscv/riscv.h"

static struct riscv *of(struct target *target)
{
	return ((struct dap_target *)target)->riscv;
}

static enum status note_loss(struct target *target, enum status status)
{
	target->is_lost = riscv_is_lost(of(target));
	return status;
}

static enum status read_memory(struct target *target, uint64_t address, void *buffer, size_t size, struct error *error)
{
	return note_loss(target, riscv_read(of(target), address, buffer, size, error));
}

static enum status write_memory(struct target *target, uint64_t address, const void *bytes, size_t size,
                                struct error *error)
{
	return note_loss(target, riscv_write(of(target), address, bytes, size, error));
}

static enum status drive_reset(struct target *target, bool is_low, struct error *error)
{
	return riscv_drive_reset(of(target), is_low, error);
}

static void traffic(const struct target *target, struct target_traffic *traffic)
{
	traffic->has_transfers = true;
	traffic->transfers = riscv_traffic(((const struct dap_target *)target)->riscv);
}

static void begin_disconnect(struct target *target)
{
	if (of(target) != NULL)
		riscv_finish(of(target));
}

static enum status close_target(struct target *target, struct error *error)
{
	(void)error;
	riscv_close(of(target));
	return STATUS_OK;
}

/* --- The hart. */

static enum status identify(struct target *target, struct error *error)
{
	target->is_halted = false;
	return note_loss(target, riscv_is_halted(of(target), &target->found_halted, error));
}

static enum status halt(struct target *target, struct error *error)
{
	if (target->found_halted)
		return STATUS_OK;
	target->is_halted = true; /* the request may take effect even if it fails */
	return note_loss(target, riscv_halt(of(target), error));
}

static enum status resume(struct target *target, struct error *error)
{
	if (!target->is_halted)
		return STATUS_OK;
	enum status status = riscv_resume(of(target), error);
	target->is_halted = status != STATUS_OK;
	return note_loss(target, status);
}

static enum status reset(struct target *target, struct error *error)
{
	return note_loss(target, riscv_reset(of(target), error));
}

static enum status await_reset(struct target *target, struct error *error)
{
	enum status status = riscv_await_reset(of(target), error);

	return status == STATUS_OK ? identify(target, error) : note_loss(target, status);
}

static enum status is_halted(struct target *target, bool *halted, struct error *error)
{
	return note_loss(target, riscv_is_halted(of(target), halted, error));
}

static enum status read_pc(struct target *target, uint64_t *pc, struct error *error)
{
	return note_loss(target, riscv_read_pc(of(target), pc, error));
}

static enum status read_registers(struct target *target, struct core_registers *registers, struct error *error)
{
	struct riscv *riscv = of(target);

	enum status status = riscv_read_pc(riscv, &registers->pc, error);
	if (status == STATUS_OK)
		status = riscv_read_register(riscv, RISCV_RA, &registers->lr, error);
	if (status == STATUS_OK)
		status = riscv_read_register(riscv, RISCV_SP, &registers->sp, error);
	if (status == STATUS_OK)
		status = riscv_read_register(riscv, RISCV_S0, &registers->fp, error);
	return note_loss(target, status);
}

static const struct core_ops core_riscv = {
        .for_sleep = "the hart halted, as does a system bus that cannot read while it runs",
        .identify = identify,
        .halt = halt,
        .resume = resume,
        .reset = reset,
        .await_reset = await_reset,
        .is_halted = is_halted,
        .read_pc = read_pc,
        .read_registers = read_registers,
};

static const struct target_ops riscv_ops = {
        .is_live = true,
        .read = read_memory,
        .write = write_memory,
        .drive_reset = drive_reset,
        .traffic = traffic,
        .begin_disconnect = begin_disconnect,
        .close = close_target,
};

enum status riscv_target_open(struct dap_target *target, const struct adi_setup *setup, struct pins *pins,
                              struct error *error)
{
	target->target.ops = &riscv_ops;
	target->target.core = &core_riscv;
	return riscv_connect(pins, setup, &target->riscv, error);
}
