/* SPDX-License-Identifier: MIT */
/* Model of a RISC-V debug transport module on JTAG and of its debug module with a system bus ("RISC-V External Debug
 * Support", 0.13.2, chapters 3 and 6). Harts run and halt together, as QEMU's machine does, so the model has one. */
#ifndef PROBE_MODEL_RISCV_H
#define PROBE_MODEL_RISCV_H

#include "hart.h"
#include "tap.h"

#define RISCV_INSTRUCTION_BITS 5
#define RISCV_IDCODE           1

struct riscv {
	const struct setup *setup;
	struct memory *memory;
	struct swd_counts *counts;
	/* Reports whether a fault keeps the next request from the module. */
	bool (*is_lost)(void *context);
	void *context;
	bool is_silent; /* until a reset of the test access port */

	/* The transport. */
	unsigned dmi_error;  /* sticky: 0, 2: failed, 3: busy */
	uint64_t dmi_result; /* address and data */
	uint64_t dmi_until;  /* clocks: the end of the request in progress */

	/* The debug module. */
	bool is_active, is_resume_acknowledged, was_reset;
	unsigned selected;
	struct hart hart;
	uint32_t bus_control, bus_address, bus_data;
	uint64_t bus_until;
};

/* Puts the module and its harts into the state that the options request. */
void riscv_power_on(struct riscv *riscv);
/* The harts keep their state. */
void riscv_reset_module(struct riscv *riscv);

extern const struct tap_ops riscv_ops;

#endif
