/* SPDX-License-Identifier: MIT */
/* See tap.h. */
#include "tap.h"

#include <stddef.h>

/* The next state for TMS low and high. */
static const enum tap_state next_states[][2] = {
        [TAP_RESET] = {TAP_IDLE, TAP_RESET},
        [TAP_IDLE] = {TAP_IDLE, TAP_SELECT_DR},
        [TAP_SELECT_DR] = {TAP_CAPTURE_DR, TAP_SELECT_IR},
        [TAP_CAPTURE_DR] = {TAP_SHIFT_DR, TAP_EXIT1_DR},
        [TAP_SHIFT_DR] = {TAP_SHIFT_DR, TAP_EXIT1_DR},
        [TAP_EXIT1_DR] = {TAP_PAUSE_DR, TAP_UPDATE_DR},
        [TAP_PAUSE_DR] = {TAP_PAUSE_DR, TAP_EXIT2_DR},
        [TAP_EXIT2_DR] = {TAP_SHIFT_DR, TAP_UPDATE_DR},
        [TAP_UPDATE_DR] = {TAP_IDLE, TAP_SELECT_DR},
        [TAP_SELECT_IR] = {TAP_CAPTURE_IR, TAP_RESET},
        [TAP_CAPTURE_IR] = {TAP_SHIFT_IR, TAP_EXIT1_IR},
        [TAP_SHIFT_IR] = {TAP_SHIFT_IR, TAP_EXIT1_IR},
        [TAP_EXIT1_IR] = {TAP_PAUSE_IR, TAP_UPDATE_IR},
        [TAP_PAUSE_IR] = {TAP_PAUSE_IR, TAP_EXIT2_IR},
        [TAP_EXIT2_IR] = {TAP_SHIFT_IR, TAP_UPDATE_IR},
        [TAP_UPDATE_IR] = {TAP_IDLE, TAP_SELECT_DR},
};

/* 7.1.1: the two lowest bits of a captured instruction. */
#define CAPTURED_INSTRUCTION 1

void tap_reset(struct tap *tap)
{
	tap->state = TAP_RESET;
	tap->instruction = tap->first_instruction;
	if (tap->ops->reset != NULL)
		tap->ops->reset(tap->device);
}

bool tap_output(const struct tap *tap)
{
	bool shifts = tap->state == TAP_SHIFT_DR || tap->state == TAP_SHIFT_IR;

	return !shifts || (tap->shifted & 1) != 0;
}

/* A rising edge acts before the state changes. */
static void leave_state(struct tap *tap, bool tdi)
{
	switch (tap->state) {
	case TAP_CAPTURE_DR:
		tap->shifted = tap->ops->capture(tap->device, tap->instruction, &tap->bits);
		break;
	case TAP_CAPTURE_IR:
		tap->shifted = CAPTURED_INSTRUCTION;
		tap->bits = tap->instruction_bits;
		break;
	case TAP_SHIFT_DR:
	case TAP_SHIFT_IR:
		tap->shifted = tap->shifted >> 1 | (uint64_t)tdi << (tap->bits - 1);
		break;
	default:
		break;
	}
}

void tap_clock(struct tap *tap, bool tms, bool tdi)
{
	const enum tap_state before = tap->state;

	leave_state(tap, tdi);
	tap->state = next_states[before][tms];
	if (tap->state == TAP_RESET && before != TAP_RESET)
		tap_reset(tap);
	else if (tap->state == TAP_UPDATE_IR)
		tap->instruction = tap->shifted == UINT64_MAX >> (64 - tap->bits)
		                           ? TAP_BYPASS
		                           : (uint32_t)tap->shifted & (TAP_BYPASS >> 1);
	else if (tap->state == TAP_UPDATE_DR)
		tap->ops->update(tap->device, tap->instruction, tap->shifted);
}
