/* SPDX-License-Identifier: MIT */
/* How Secure code of the images for Cortex-M33 shares the machine with Non-secure code. After reset everything is
 * Secure. */
#ifndef BOARDS_MPS2_V8M_WORLDS_H
#define BOARDS_MPS2_V8M_WORLDS_H

#include "board.h"

#include <stdint.h>

/* These run in the Secure state, which is the other one in a Non-secure image. */
#ifdef BOARD_IS_NONSECURE
#define SECURE_STATE __attribute__((section(".other_state.text")))
#else
#define SECURE_STATE
#endif

/* Second half of SSRAM 1, SSRAM 3, and the FPU. Code from gateways_start to gateways_end may be called. */
void worlds_split(void);

/* Timers by their numbers, bit n for TIMER n, bit 2 for the dual timer, with their interrupts. */
void worlds_release_timers(uint32_t timers);
/* The same of the console's UART. */
void worlds_release_console(void);

#endif
