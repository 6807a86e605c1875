/* SPDX-License-Identifier: MIT */
/*
 * The debug port of a target (IHI 0031, B): waking it up, power, errors that stick. Knows nothing of access ports.
 */
#ifndef TARGET_DAP_PORT_H
#define TARGET_DAP_PORT_H

#include "target/dap/adi.h"
#include "target/dap/dap.h"
#include "target/dap/trace.h"

struct port {
	struct dap *dap;
	struct adi_setup setup;

	/* Private. */
	struct trace trace;
	uint32_t id;         /* DPIDR; 0 = never connected */
	uint32_t target;     /* TARGETSEL of one debug port among several on the wire; 0 = it is alone */
	uint32_t power;      /* the requests for power that were found, */
	bool is_power_known; /* once they were */
	bool is_lost;        /* see adi_is_lost() */
};

/*
 * Wakes the debug port up, clears its errors and powers the debug part up; also where it was connected before and was
 * lost. The core is left alone. An answer that does not come is waited for so long as a target takes to start.
 */
enum status port_connect(struct port *port, struct error *error);
/* A cancelled port fails. */
enum status port_fail_if_cancelled(const struct port *port, struct error *error);
/* dap_ops.transfer, with a trace. A cancelled port makes none and fails. */
enum status port_transfer(struct port *port, const struct dap_transfer *transfers, size_t count, enum dap_ack *ack,
                          struct error *error);
/* One register of the debug port or of the access port and bank that are selected. */
enum status port_access(struct port *port, uint8_t reg, uint32_t *word, enum dap_ack *ack, struct error *error);
/* Does what an error needs, so that the transfers can be made again. *status: CTRL/STAT, as it was before; 0 = nobody
 * knows. What was written to registers of access ports may be lost. tries: how many there were before in a row. */
enum status port_recover(struct port *port, enum dap_ack ack, unsigned tries, uint32_t *status, struct error *error);
/* Whether CTRL/STAT says that the power that was asked for is there. */
bool port_is_powered(uint32_t status);
/* Whether CTRL/STAT says that what was done just before went well. DAP_NO_ACK: the target was reset. */
enum dap_ack port_judge(uint32_t status);
/* Takes the power away that it did not find. */
void port_disconnect(struct port *port);
/* For messages: why a target that acknowledged so does not do what it should, and what to do. */
const char *port_reason(enum dap_ack ack, uint32_t status);

#endif
