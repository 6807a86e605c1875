/* SPDX-License-Identifier: MIT */
/* A debug port on JTAG (IHI 0031, ADIv5.2, B3, "the JTAG Debug Port"). As with SWD, a list of transfers is one stream
 * of bits. */
#ifndef ACQUIRE_DAP_JTAG_DP_H
#define ACQUIRE_DAP_JTAG_DP_H

#include "acquire/dap/dap.h"
#include "acquire/dap/jtag.h"

/* Whether a device of a chain is a debug port of ADIv5. */
bool jtag_dp_is_port(const struct jtag_device *device);
/* The first debug port in the examined chain; device_count if there is none. */
size_t jtag_dp_find(const struct jtag *jtag);

/* Uses the first debug port of the chain. Takes ownership of pins, and closes them on failure, too. */
enum status jtag_dp_open(struct pins *pins, struct dap **dap, struct error *error);

#endif
