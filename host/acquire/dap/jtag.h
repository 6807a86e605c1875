/* SPDX-License-Identifier: MIT */
/* A chain of JTAG devices (IEEE 1149.1-2001): finding the devices, and scanning the registers of one while the others
 * are bypassed. Scans are queued, then run as one stream of bits. */
#ifndef ACQUIRE_DAP_JTAG_H
#define ACQUIRE_DAP_JTAG_H

#include "acquire/dap/pins.h"

#define JTAG_DEVICES_MAX 16u
/* Clocks of a stream. */
#define JTAG_CLOCKS_MAX (32768u)

struct jtag_device {
	uint32_t idcode; /* 0: the device has no IDCODE */
	unsigned instruction_bits;
};

struct jtag {
	struct pins *pins;
	struct jtag_device devices[JTAG_DEVICES_MAX]; /* the first is nearest to TDO */
	size_t device_count;
	size_t selected;
	unsigned idle; /* clocks in Run-Test/Idle after each scan of data */

	/* Private. */
	uint32_t instruction; /* instruction of the selected device; UINT32_MAX: unknown */
	size_t count;         /* clocks queued */
	uint8_t tms[JTAG_CLOCKS_MAX / 8], tdi[JTAG_CLOCKS_MAX / 8], tdo[JTAG_CLOCKS_MAX / 8];
};

/* Resets the chain and finds its devices. Also switches an Arm debug port from SWD or, with from_dormant, the dormant
 * state to JTAG (IHI 0031, B5). Selects no device. device_count is 0 if nothing answers. */
enum status jtag_examine(struct jtag *jtag, bool from_dormant, struct error *error);

/* Selects a device; its instruction is unknown. */
void jtag_select(struct jtag *jtag, size_t device);
/* Empties the queue. */
void jtag_begin(struct jtag *jtag);
/* True if this many scans of this many bits, each with a change of instruction, still fit. */
bool jtag_has_room(const struct jtag *jtag, unsigned scans, unsigned bits);
/* Queues an instruction of the selected device, unless it is already set. */
void jtag_add_instruction(struct jtag *jtag, uint32_t instruction);
/* Queues a scan of the selected device's data register, at most 64 bits. Returns the place of its bits in the
 * stream. */
size_t jtag_add_data(struct jtag *jtag, uint64_t bits, unsigned count);
enum status jtag_run(struct jtag *jtag, struct error *error);
/* After the run of the queue: the bits that a scan returned. */
uint64_t jtag_bits(const struct jtag *jtag, size_t place, unsigned count);

#endif
