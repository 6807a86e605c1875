/* SPDX-License-Identifier: MIT */
/* The backend for CMSIS-DAP debug probes, over USB. */
#include "target/dap/cmsis_dap.h"
#include "target/backend/backends.h"
#include "target/backend/cmsis_dap_usb.h"
#include "target/backend/dap_target.h"

static enum status open_probe(const struct source *source, const struct target_setup *setup, struct target **target,
                              struct error *error)
{
	unsigned timeout = DAP_TARGET_TIMEOUT_DEFAULT;
	struct usb_address wanted;
	struct packets *packets;
	struct dap *dap;

	enum status status = source_milliseconds(source, "timeout", &timeout, error);
	if (!status)
		status = usb_address_parse(source->address, &cmsis_dap_usb.naming, &wanted, error);
	if (!status)
		status = packets_open(&cmsis_dap_usb, &wanted, setup->cancel, &packets, error);
	/* Leaves time to repeat a lost packet. */
	if (!status)
		status = cmsis_dap_open(packets, packets->source, timeout / 4 + 1, &dap, error);
	return status ? status : dap_target_open(&backend_cmsis_dap, source, setup, timeout, dap, target, error);
}

const struct target_ops backend_cmsis_dap = {
        .scheme = "cmsis-dap",
        .synopsis = "[:SERIAL|:VID:PID[:SERIAL]][,timeout=SECONDS]",
        .summary = "a debug probe that speaks CMSIS-DAP (DAPLink, Debug Probe, MCU-Link, ...): the target runs on",
        .options = {"timeout"},
        .open = open_probe,
        .list = cmsis_dap_list,
        DAP_TARGET_OPS,
};
