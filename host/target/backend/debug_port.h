/* SPDX-License-Identifier: MIT */
/*
 * Target access behind a debug port, whichever probe leads there: what the rows of all of them have in common. Knows
 * nothing of probes.
 */
#ifndef TARGET_BACKEND_DEBUG_PORT_H
#define TARGET_BACKEND_DEBUG_PORT_H

#include "target/backend/target.h"
#include "target/dap/dap.h"

/* Milliseconds that the target may be silent or busy in a row, unless timeout=SECONDS says otherwise. */
#define DEBUG_PORT_TIMEOUT_DEFAULT 4000u

/*
 * Connects to the target behind dap and does to it what setup asks for, nothing else. For target_ops.open(): ops is the
 * row. Takes dap over, also on failure.
 */
enum status debug_port_open(const struct target_ops *ops, const char *source, const struct target_setup *setup,
                            unsigned timeout, struct dap *dap, struct target **target, struct error *error);

/* What each row of backend_table has of it. */
#define DEBUG_PORT_OPS                                                                                       \
	.is_cortex_m = true,                                                                                 \
	.setups = TARGET_CAN_SET_SPEED | TARGET_CAN_CHOOSE_PORT | TARGET_CAN_CHOOSE_CORE | TARGET_CAN_HALT | \
	          TARGET_CAN_RESET | TARGET_CAN_KEEP_AWAKE | TARGET_CAN_TRACE,                               \
	.read = debug_port_read, .read_repeatedly = debug_port_read_repeatedly, .write = debug_port_write,   \
	.run = debug_port_run, .traffic = debug_port_traffic, .close = debug_port_close

enum status debug_port_read(struct target *target, uint64_t address, void *buffer, size_t size, struct error *error);
enum status debug_port_read_repeatedly(struct target *target, uint64_t address, uint32_t *words, size_t count,
                                       struct error *error);
enum status debug_port_write(struct target *target, uint64_t address, const void *bytes, size_t size,
                             struct error *error);
enum status debug_port_run(struct target *target, unsigned milliseconds, struct error *error);
void debug_port_traffic(const struct target *target, struct target_traffic *traffic);
enum status debug_port_close(struct target *target, struct error *error);

#endif
