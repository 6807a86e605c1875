/* SPDX-License-Identifier: MIT */
/*
 * What the firmware of a debug probe makes of CMSIS-DAP commands (Arm, "CMSIS-DAP", 2.1): clocks on the wires of a
 * target, and an answer. Knows nothing of USB; probe.c does.
 */
#ifndef PROBE_MODEL_CMSIS_DAP_H
#define PROBE_MODEL_CMSIS_DAP_H

#include "swd.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CMSIS_DAP_TRANSFER_ABORT = 0x07, CMSIS_DAP_QUEUE = 0x7E, CMSIS_DAP_EXECUTE = 0x7F };

struct cmsis_dap {
	struct swd_target *target;
	const char *serial;
	unsigned packet_size, packet_count; /* as it tells the host */
	/* Ends the transfers of the next command, or of the one that runs, before the next of them. */
	bool is_aborted;
	/* What no host should do: requests that end early, answers that would not fit into a packet. */
	unsigned violations;

	/* What the host has set; all zeros is what a probe starts with but for the rest. */
	bool is_connected;
	uint8_t pins, idle_clocks, turnaround;
	bool has_data_phase;
	uint16_t wait_retries, match_retries;
	uint32_t match_mask;
};

void cmsis_dap_start(struct cmsis_dap *dap, struct swd_target *target, const char *serial, unsigned packet_size,
                     unsigned packet_count);
/* Executes one command packet; the answer is at most packet_size bytes. Returns how many; 0: there is none. */
size_t cmsis_dap_execute(struct cmsis_dap *dap, const uint8_t *request, size_t size, uint8_t *answer);

#endif
