/* SPDX-License-Identifier: MIT */
/* Two periodic interrupts out of one SysTick. */
#ifndef BOARDS_STM32VLDISCOVERY_DEADLINES_H
#define BOARDS_STM32VLDISCOVERY_DEADLINES_H

#include <stdint.h>

enum deadline { DEADLINE_SAMPLING, DEADLINE_WORK, DEADLINES };

/* Pends the interrupt, a line of the NVIC, every period clocks of the core from now on; period is below 2^24, which is
 * what SysTick counts, and longer than its handler. */
void deadline_start(enum deadline deadline, unsigned interrupt, uint32_t period);

/* Sets the period after the current one. */
void deadline_next(enum deadline deadline, uint32_t period);
/* The clocks until the deadline. */
uint32_t deadline_remaining(enum deadline deadline);

#endif
