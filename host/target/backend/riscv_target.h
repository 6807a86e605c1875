/* SPDX-License-Identifier: MIT */
/* A RISC-V target on JTAG, for dap_target.c, which detects it. */
#ifndef TARGET_BACKEND_RISCV_TARGET_H
#define TARGET_BACKEND_RISCV_TARGET_H

#include "target/backend/dap_target.h"

/* For target_ops.open(): connects, and replaces target->ops and target->core. Closes pins, also after a failure. */
enum status riscv_target_open(struct dap_target *target, const struct adi_setup *setup, struct pins *pins,
                              struct error *error);

#endif
