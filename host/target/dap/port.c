/* SPDX-License-Identifier: MIT */
/* See port.h. */
#include "target/dap/port.h"

#include "base/wait.h"
#include "target/dap/registers.h"

static bool is_cancelled(const struct port *port)
{
	return !wait_pause(0, port->setup.cancel);
}

enum status port_fail_if_cancelled(const struct port *port, struct error *error)
{
	return is_cancelled(port) ? status_fail(error, "%s: interrupted", port->dap->source) : STATUS_OK;
}

enum status port_transfer(struct port *port, const struct dap_transfer *transfers, size_t count, enum dap_ack *ack,
                          struct error *error)
{
	enum status status = port_fail_if_cancelled(port, error);

	if (status == STATUS_OK)
		status = port->dap->ops->transfer(port->dap, transfers, count, ack, error);
	port->is_lost = status != STATUS_OK || (port->is_lost && *ack != DAP_OK);
	if (status == STATUS_OK)
		trace_transfers(&port->trace, transfers, count, *ack);
	return status;
}

enum status port_access(struct port *port, uint8_t reg, uint32_t *word, enum dap_ack *ack, struct error *error)
{
	return port_transfer(port, &(struct dap_transfer){.reg = reg, .count = 1, .words = word}, 1, ack, error);
}

bool port_is_powered(uint32_t status)
{
	return (status & CTRL_POWER_ACK) == CTRL_POWER_ACK;
}

enum dap_ack port_judge(uint32_t status)
{
	if (!port_is_powered(status))
		return DAP_NO_ACK;
	return status & CTRL_STICKY ? DAP_FAULT : DAP_OK;
}

const char *port_reason(enum dap_ack ack, uint32_t status)
{
	switch (ack) {
	case DAP_WAIT:
		return "the target's bus stays busy; its debug part may be off while the core sleeps (WFI): keep "
		       "the chip awake if it is an STM32";
	case DAP_FAULT:
		if (status & CTRL_WDATAERR)
			return "what is sent to the target arrives damaged; try a lower clock speed and shorter wires";
		return "the target's bus answers with an error: no memory is there, or it is protected";
	case DAP_NO_ACK:
		return "the target does not answer; is it powered, and are SWDIO, SWCLK and GND connected?";
	case DAP_LOST:
		return "the probe's answers get lost, or are not to what it was asked; end any other program that uses "
		       "it, or plug it in again";
	default:
		return "what the target answers is damaged; try a lower clock speed and shorter wires";
	}
}
