/* SPDX-License-Identifier: MIT */
/* Encodes streams of bits as commands of FTDI's MPSSE, and decodes its answers (FTDI, AN_108, "Command Processor for
 * MPSSE and MCU Host Bus Emulation Modes", chapter 3; its sections are cited). */
#ifndef ACQUIRE_PROBE_MPSSE_H
#define ACQUIRE_PROBE_MPSSE_H

#include "acquire/probe/ftdi_layout.h"

#include <stddef.h>

#define MPSSE_COMMANDS_MAX 16384u
#define MPSSE_PIECES_MAX   4096u

struct mpsse_piece;

/* Commands, and where their answers go. */
struct mpsse {
	const struct ftdi_layout *layout;
	uint16_t level, outputs; /* states and directions of the pins */
	size_t count, answer_size;
	uint8_t commands[MPSSE_COMMANDS_MAX];

	/* Private. */
	size_t piece_count;
	struct mpsse_piece {
		uint32_t at, clocks; /* position and clocks in the stream; up to 8 clocks are one byte of the answer
		                        unless in_bytes */
		bool in_bytes;
	} pieces[MPSSE_PIECES_MAX];
};

/* Forgets all commands. */
void mpsse_begin(struct mpsse *mpsse);
/* Queues the state of all pins. */
void mpsse_add_pins(struct mpsse *mpsse);
/* Queues a change of the clock to *speed in Hz or the next lower one, and sets *speed to the result (3.8.2). */
void mpsse_add_speed(struct mpsse *mpsse, uint32_t *speed);
/* Queues as many clocks of a stream as fit, from this one on, and returns their number. See pins.h. The answer has a
 * sample of each clock with tdo, or with direction 0. */
size_t mpsse_add_swd(struct mpsse *mpsse, const uint8_t *bits, const uint8_t *direction, size_t from, size_t count);
size_t mpsse_add_jtag(struct mpsse *mpsse, const uint8_t *tms, const uint8_t *tdi, bool tdo, size_t from, size_t count);
/* Puts the samples of the answer, which has answer_size bytes, into the stream. */
void mpsse_take(const struct mpsse *mpsse, const uint8_t *answer, uint8_t *samples);

#endif
