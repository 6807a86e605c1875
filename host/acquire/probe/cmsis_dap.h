/* SPDX-License-Identifier: MIT */
/* A CMSIS-DAP probe (Arm, "CMSIS-DAP", 2.1): commands in packets, answered in order. */
#ifndef ACQUIRE_PROBE_CMSIS_DAP_H
#define ACQUIRE_PROBE_CMSIS_DAP_H

#include "acquire/dap/dap.h"
#include "acquire/dap/pins.h"
#include "acquire/usb/packets.h"

/* Queries the probe's capabilities and switches it to SWD. Takes ownership of packets, and closes them on failure, too.
 * timeout: milliseconds to wait for an answer. */
enum status cmsis_dap_open(struct packets *packets, const char *source, unsigned timeout, struct dap **dap,
                           struct error *error);
/* Like cmsis_dap_open(), for JTAG. */
enum status cmsis_dap_open_jtag(struct packets *packets, const char *source, unsigned timeout, struct pins **pins,
                                struct error *error);

#endif
