/* SPDX-License-Identifier: MIT */
/* Model of a JTAG test access port (IEEE 1149.1-2001, chapters 6 to 8): its state machine and shift registers. */
#ifndef PROBE_MODEL_TAP_H
#define PROBE_MODEL_TAP_H

#include <stdbool.h>
#include <stdint.h>

/* The instruction whose bits are all ones, of any length. */
#define TAP_BYPASS UINT32_MAX

/* The device on a test access port. */
struct tap_ops {
	/* Called in Test-Logic-Reset. NULL: nothing to do. */
	void (*reset)(void *device);
	/* Begins to shift the data register of an instruction: returns its contents, and its length in bits, at most
	 * 64. */
	uint64_t (*capture)(void *device, uint32_t instruction, unsigned *bits);
	/* The data register was shifted. */
	void (*update)(void *device, uint32_t instruction, uint64_t bits);
};

/* In the order of the state diagram: after SELECT_DR come the states of data, after SELECT_IR those of instructions. */
enum tap_state {
	TAP_RESET,
	TAP_IDLE,
	TAP_SELECT_DR,
	TAP_CAPTURE_DR,
	TAP_SHIFT_DR,
	TAP_EXIT1_DR,
	TAP_PAUSE_DR,
	TAP_EXIT2_DR,
	TAP_UPDATE_DR,
	TAP_SELECT_IR,
	TAP_CAPTURE_IR,
	TAP_SHIFT_IR,
	TAP_EXIT1_IR,
	TAP_PAUSE_IR,
	TAP_EXIT2_IR,
	TAP_UPDATE_IR,
};

struct tap {
	const struct tap_ops *ops;
	void *device;
	unsigned instruction_bits;
	uint32_t first_instruction; /* after a reset */
	enum tap_state state;
	uint32_t instruction;
	uint64_t shifted; /* the lowest bit is on TDO */
	unsigned bits;    /* of shifted */
};

/* Resets the port. */
void tap_reset(struct tap *tap);
/* The level of TDO. A port that does not shift leaves it to the pull-up. */
bool tap_output(const struct tap *tap);
/* A rising edge of TCK. */
void tap_clock(struct tap *tap, bool tms, bool tdi);

#endif
