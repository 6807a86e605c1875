/* SPDX-License-Identifier: MIT */
/* Two periodic interrupts out of one SysTick. */
#ifndef BOARDS_STM32VLDISCOVERY_DEADLINES_H
#define BOARDS_STM32VLDISCOVERY_DEADLINES_H

#include <stdint.h>

enum deadline { DEADLINE_SAMPLING, DEADLINE_WORK, DEADLINES };

/* From now on, pends the interrupt (a line of the NVIC) every `period` clocks of the core. The period must fit
 * SysTick's 24 bits and be longer than its handler. */
void deadline_start(enum deadline deadline, unsigned interrupt, uint32_t period);

/* Sets the period that follows the current one. */
void deadline_next(enum deadline deadline, uint32_t period);
/* The clocks until the deadline. */
uint32_t deadline_remaining(enum deadline deadline);

#endif
