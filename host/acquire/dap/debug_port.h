/* SPDX-License-Identifier: MIT */
/* The debug port of a target (IHI 0031, B; IHI 0074, B): waking it up, power, sticky errors. */
#ifndef ACQUIRE_DAP_DEBUG_PORT_H
#define ACQUIRE_DAP_DEBUG_PORT_H

#include "acquire/dap/access.h"
#include "acquire/dap/dap.h"
#include "acquire/dap/trace.h"

struct port {
	struct dap *dap;
	struct target_setup setup;

	/* Private. */
	struct trace trace;
	uint32_t id;           /* DPIDR; 0: never connected */
	unsigned address_bits; /* width of access port addresses (IHI 0074); 0: access ports have numbers (IHI 0031) */
	uint32_t target;       /* TARGETSEL of a debug port on multi-drop wires; 0: the only port on the wires */
	uint32_t power;        /* power requests found when first connected */
	bool is_power_known;   /* power is valid */
	bool is_lost;          /* see struct access */
	bool cannot_select;    /* the probe refused to select one of several debug ports */
};

/* Wakes the debug port up, clears its errors and powers up the debug part; also reconnects. The core is left alone.
 * Retries for as long as a target takes to start. */
enum status port_connect(struct port *port, struct error *error);
/* Reads BASEPTR of a port of version 3: the address of the first component, with BASEPTR_VALID. *ack is not DAP_OK if
 * the read failed. */
enum status port_read_base(struct port *port, uint64_t *base, enum dap_ack *ack, struct error *error);
/* Fails if the port was cancelled. */
enum status port_fail_if_cancelled(const struct port *port, struct error *error);
/* dap_ops.transfer, traced. Fails without a transfer if cancelled. */
enum status port_transfer(struct port *port, const struct dap_transfer *transfers, size_t count, enum dap_ack *ack,
                          struct error *error);
/* Recovers from an error so that the transfers can be repeated. *status: CTRL/STAT before the recovery; 0: unknown.
 * Writes to access ports may be lost. tries: number of preceding failures in a row. */
enum status port_recover(struct port *port, enum dap_ack ack, unsigned tries, uint32_t *status, struct error *error);
/* The result of the preceding transfers according to CTRL/STAT. DAP_NO_ACK: the target was reset. */
enum dap_ack port_judge(uint32_t status);
/* Withdraws the power requests that were not set before connecting. */
void port_disconnect(struct port *port);
/* For messages: the likely cause of this acknowledge, and the remedy. */
const char *port_reason(bool is_jtag, enum dap_ack ack, uint32_t status);
/* True if the debug port is reached over JTAG. */
bool port_is_jtag(const struct port *port);

#endif
