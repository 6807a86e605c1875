/* SPDX-License-Identifier: MIT */
/*
 * Model of the MPSSE of an FTDI chip on the wires of a target (FTDI, AN_108, chapter 3; its sections are cited), and of
 * boards that connect it.
 */
#ifndef PROBE_MODEL_FTDI_CHIP_H
#define PROBE_MODEL_FTDI_CHIP_H

#include "swd.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The longest command: 65536 bytes to shift (3.3). */
#define FTDI_COMMAND_MAX (3 + 65536)
#define FTDI_ANSWERS_MAX (2 * 65536)

enum ftdi_pin_kind { PIN_NONE, PIN_OPEN_DRAIN, PIN_PUSH_PULL, PIN_ENABLE };

struct ftdi_board {
	const char *name, *product_name;
	uint16_t vendor, product, release; /* the release identifies the type of the chip */
	unsigned channels, channel;
	size_t buffer; /* bytes of answers that make the chip stop */
	enum ftdi_pin_kind reset;
	uint16_t reset_pin;
	uint16_t swd_enable; /* with this pin low, a buffer drives SWDIO while TMS is high; 0: no buffer */
};

struct ftdi_chip {
	const struct ftdi_board *board;
	struct swd_target *target;
	bool is_swd;       /* the wires are for SWD, else for JTAG */
	bool has_resistor; /* between TDI and SWDIO */

	bool is_mpsse;
	uint16_t level, outputs;
	uint32_t divisor;
	uint8_t command[FTDI_COMMAND_MAX];
	size_t received; /* bytes of a command */
	uint8_t answers[FTDI_ANSWERS_MAX];
	size_t answer_count;
	bool is_flushed;
	unsigned flushes;
	unsigned violations; /* commands that no program should send */
};

const struct ftdi_board *ftdi_board_find(const char *name);
void ftdi_chip_set_mode(struct ftdi_chip *chip, bool is_mpsse);
/* Accepts a byte, and executes the command if it is complete. False: the buffer for answers is full. */
bool ftdi_chip_receive(struct ftdi_chip *chip, uint8_t byte);

#endif
