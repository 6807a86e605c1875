/* SPDX-License-Identifier: MIT */
/* Target access through a debug probe that speaks CMSIS-DAP, by USB. */
#include "target/dap/cmsis_dap.h"
#include "target/backend/cmsis_dap_usb.h"
#include "target/backend/debug_port.h"
#include "target/backend/target.h"
#include "target/channel/usb_devices.h"

static enum status open_probe(const char *source, const struct target_setup *setup, struct target **target,
                              struct error *error)
{
	unsigned timeout = DEBUG_PORT_TIMEOUT_DEFAULT;
	struct usb_address wanted;
	struct packets *packets;
	struct dap *dap;

	enum status status = usb_devices_parse(target_address(source), &cmsis_dap_usb, &wanted, &timeout, error);
	if (!status)
		status = packets_open(&cmsis_dap_usb, &wanted, setup->cancel, &packets, error);
	/* A packet that got lost is sent again in time. */
	if (!status)
		status = cmsis_dap_open(packets, packets->source, timeout / 4 + 1, &dap, error);
	return status ? status : debug_port_open(&backend_cmsis_dap, source, setup, timeout, dap, target, error);
}

const struct target_ops backend_cmsis_dap = {
        .scheme = "cmsis-dap",
        .synopsis = "[:SERIAL|:VID:PID[:SERIAL]][,timeout=SECONDS]",
        .summary = "a debug probe that speaks CMSIS-DAP (DAPLink, Debug Probe, MCU-Link, ...): the target runs on",
        .open = open_probe,
        .list = cmsis_dap_list,
        DEBUG_PORT_OPS,
};
