/* SPDX-License-Identifier: MIT */
/*
 * Target access behind a debug port, whichever probe leads there: what the rows of all of them have in common. Knows
 * nothing of probes.
 */
#ifndef TARGET_BACKEND_DEBUG_PORT_H
#define TARGET_BACKEND_DEBUG_PORT_H

#include "target/backend/backend.h"
#include "target/dap/dap.h"

/* Milliseconds that the target may be silent or busy in a row, unless timeout=SECONDS says otherwise. */
#define DEBUG_PORT_TIMEOUT_DEFAULT 4000u

/*
 * Connects to the target behind dap and does to it what setup asks for, nothing else. For access_ops.open(): ops is the
 * row. Takes dap over, also on failure.
 */
enum status debug_port_open(const struct access_ops *ops, const char *source, const struct access_setup *setup,
                            unsigned timeout, struct dap *dap, struct access **access, struct error *error);

/* What each row of access_table has of it. */
#define DEBUG_PORT_OPS                                                                                                 \
	.is_cortex_m = true,                                                                                           \
	.setups = ACCESS_SPEED | ACCESS_PORT | ACCESS_CORE | ACCESS_HALT | ACCESS_RESET | ACCESS_AWAKE | ACCESS_TRACE, \
	.read = debug_port_read, .read_repeatedly = debug_port_read_repeatedly, .write = debug_port_write,             \
	.run = debug_port_run, .traffic = debug_port_traffic, .close = debug_port_close

enum status debug_port_read(struct access *access, uint64_t address, void *buffer, size_t size, struct error *error);
enum status debug_port_read_repeatedly(struct access *access, uint64_t address, uint32_t *words, size_t count,
                                       struct error *error);
enum status debug_port_write(struct access *access, uint64_t address, const void *bytes, size_t size,
                             struct error *error);
enum status debug_port_run(struct access *access, unsigned milliseconds, struct error *error);
void debug_port_traffic(const struct access *access, struct access_traffic *traffic);
enum status debug_port_close(struct access *access, struct error *error);

#endif
