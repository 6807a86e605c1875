/* SPDX-License-Identifier: MIT */
/*
 * A probe that speaks CMSIS-DAP (Arm, "CMSIS-DAP", 2.1): commands in packets, answered in order. Knows nothing of USB.
 */
#ifndef TARGET_DAP_CMSIS_DAP_H
#define TARGET_DAP_CMSIS_DAP_H

#include "target/dap/dap.h"
#include "target/usb/packets.h"

/*
 * Asks the probe what it can do and switches it to SWD. Takes packets over, also on failure. timeout: milliseconds
 * for an answer.
 */
enum status cmsis_dap_open(struct packets *packets, const char *source, unsigned timeout, struct dap **dap,
                           struct error *error);

#endif
