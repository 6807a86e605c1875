/* SPDX-License-Identifier: MIT */
/* Memory of a target through a debug port (IHI 0031, ADIv5; IHI 0074, ADIv6): connecting, power-up, choice of the
 * access port, and accesses that survive WAIT, FAULT and wire errors. The core is neither halted nor reset. */
#ifndef ACQUIRE_DAP_ARM_DEBUG_H
#define ACQUIRE_DAP_ARM_DEBUG_H

#include "acquire/dap/access.h"

/* Connects. Takes ownership of dap, and closes it on failure, too. */
enum status arm_debug_connect(struct dap *dap, const struct target_setup *setup, struct access **access,
                              struct error *error);

#endif
