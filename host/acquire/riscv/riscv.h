/* SPDX-License-Identifier: MIT */
/* A RISC-V target through its debug module ("RISC-V External Debug Support", 0.13.2 and 1.0): memory through the system
 * bus while harts run, and control of one hart. */
#ifndef ACQUIRE_RISCV_RISCV_H
#define ACQUIRE_RISCV_RISCV_H

#include "acquire/dap/access.h"
#include "acquire/dap/pins.h"

struct riscv;

/* Connects to a hart, setup->core or 0, of the first debug module in the chain. setup->access_port is ignored. Takes
 * ownership of pins, and closes them on failure, too. */
enum status riscv_connect(struct pins *pins, const struct target_setup *setup, struct access **access,
                          struct error *error);

/* riscv: access->probe. */
enum status riscv_is_halted(struct riscv *riscv, bool *is_halted, struct error *error);
/* Halt the hart or let it run, and wait until it has halted or runs. Resuming a running hart is allowed, and required
 * if a halt failed. */
enum status riscv_halt(struct riscv *riscv, struct error *error);
enum status riscv_resume(struct riscv *riscv, struct error *error);
/* Resets everything but the debug module (ndmreset). */
enum status riscv_reset(struct riscv *riscv, struct error *error);
/* Call it after a pin reset, which may have reset the debug module, too. */
enum status riscv_await_reset(struct riscv *riscv, struct error *error);
/* Where the halted hart will continue. */
enum status riscv_read_pc(struct riscv *riscv, uint64_t *pc, struct error *error);
/* Reads a general register of the halted hart. Read registers before memory, which may change s0 and s1. */
#define RISCV_RA 1u
#define RISCV_SP 2u
#define RISCV_S0 8u
enum status riscv_read_register(struct riscv *riscv, unsigned number, uint64_t *value, struct error *error);

#endif
