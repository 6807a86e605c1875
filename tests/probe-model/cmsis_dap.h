/* SPDX-License-Identifier: MIT */
/* Model of a debug probe's firmware: executes CMSIS-DAP commands (Arm, "CMSIS-DAP", 2.1) on the wires of a target. */
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
	unsigned packet_size, packet_count; /* as reported to the host */
	unsigned unknown;                   /* a command that the firmware is too old to know; 0: none */
	/* Ends the transfers of the current or the next command before the next transfer. */
	bool is_aborted;
	/* Mistakes of the host: requests that end early, answers that would not fit into a packet. */
	unsigned violations;

	/* Set by the host. */
	bool is_connected, is_jtag;
	uint8_t pins, idle_clocks, turnaround;
	bool has_data_phase;
	uint16_t wait_retries, match_retries;
	uint32_t match_mask;
};

void cmsis_dap_start(struct cmsis_dap *dap, struct swd_target *target, const char *serial, unsigned packet_size,
                     unsigned packet_count);
/* Executes one command packet. Returns the size of the answer, at most packet_size; 0: no answer. */
size_t cmsis_dap_execute(struct cmsis_dap *dap, const uint8_t *request, size_t size, uint8_t *answer);

#endif
