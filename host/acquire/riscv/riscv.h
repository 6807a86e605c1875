/* SPDX-License-Identifier: MIT */
/* A RISC-V target through its debug module ("RISC-V External Debug Support", 0.13.2 and 1.0): memory through the system
 * bus while harts run, and control of one hart. */
#ifndef ACQUIRE_RISCV_RISCV_H
#define ACQUIRE_RISCV_RISCV_H

#include "acquire/dap/access.h"
#include "acquire/dap/pins.h"

struct riscv;

/* Connects to a hart, setup->core or 0, whose debug module is the first in the chain. setup->access_port is ignored.
 * Owns pins, which are closed on failure, too. */
enum status riscv_connect(struct pins *pins, const struct target_setup *setup, struct access **access,
                          struct error *error);

/* riscv: access->probe. */
enum status riscv_is_halted(struct riscv *riscv, bool *is_halted, struct error *error);
/* Halts the hart or lets it run, and waits until it does. Resuming a running hart is allowed, and required if its halt
 * failed. */
enum status riscv_halt(struct riscv *riscv, struct error *error);
enum status riscv_resume(struct riscv *riscv, struct error *error);
/* Resets everything but the debug module (ndmreset). */
enum status riscv_reset(struct riscv *riscv, struct error *error);
/* To be called after a pin reset, which may have reset the debug module, too. */
enum status riscv_await_reset(struct riscv *riscv, struct error *error);
/* Where the halted hart will continue. */
enum status riscv_read_pc(struct riscv *riscv, uint64_t *pc, struct error *error);
/* A general register of the halted hart, before its memory is read, which may change s0 and s1. */
#define RISCV_RA 1u
#define RISCV_SP 2u
#define RISCV_S0 8u
enum status riscv_read_register(struct riscv *riscv, unsigned number, uint64_t *value, struct error *error);

#endif
