/* SPDX-License-Identifier: MIT */
/* A debug port on a probe that only moves bits (IHI 0031, B4, "serial wire debug"). A whole list of transfers goes
 * as one stream of bits; acknowledges are checked afterwards. */
#ifndef ACQUIRE_DAP_SWD_H
#define ACQUIRE_DAP_SWD_H

#include "acquire/dap/dap.h"
#include "acquire/dap/pins.h"

/* Takes ownership of pins, and closes them on failure, too. */
enum status swd_dap_open(struct pins *pins, struct dap **dap, struct error *error);

#endif
