/* SPDX-License-Identifier: MIT */
/* How Secure code of the images for Cortex-M33 shares the machine with Non-secure code. After reset everything is
 * Secure. */
#ifndef BOARDS_MPS2_V8M_WORLDS_H
#define BOARDS_MPS2_V8M_WORLDS_H

#include "board.h"

#include <stdint.h>

/* These functions run in the Secure state, which in a Non-secure image is the other state. */
#ifdef BOARD_IS_NONSECURE
#define SECURE_STATE __attribute__((section(".other_state.text")))
#else
#define SECURE_STATE
#endif

/* Releases the second half of SSRAM 1, SSRAM 3, and the FPU. Code from gateways_start to gateways_end becomes
 * callable. */
void worlds_split(void);

/* Releases timers with their interrupts: bit n for TIMER n, bit 2 for the dual timer. */
void worlds_release_timers(uint32_t timers);
/* Releases the console's UART with its interrupts. */
void worlds_release_console(void);

#endif
