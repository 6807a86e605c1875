/* SPDX-License-Identifier: MIT */
/* Model of the JTAG side of a debug port (JTAG-DP; IHI 0031, ADIv5.2, chapter B3): instructions, scans and
 * acknowledges. */
#ifndef PROBE_MODEL_JTAG_DP_H
#define PROBE_MODEL_JTAG_DP_H

#include "debug_port.h"
#include "tap.h"

struct jtag_dp {
	struct debug_port *port;
	/* Reports whether a fault keeps the next request from the port. */
	bool (*is_lost)(void *context);
	void *context;
	uint32_t idcode;
	unsigned instruction_bits; /* 4, or 8 in version 3 (IHI 0074, B3.2) */
	struct request pending;    /* an access to an access port in progress */
	uint32_t pending_word;
	bool is_pending;
	bool is_silent; /* until a reset of the test access port */
	bool was_busy;  /* when the scan began, so its request is discarded */
	uint32_t result;
};

#define JTAG_DP_IDCODE 0xe

extern const struct tap_ops jtag_dp_ops;

#endif
