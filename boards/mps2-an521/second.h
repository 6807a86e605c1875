/* SPDX-License-Identifier: MIT */
/* The second core's replacement for the board's timers. */
#ifndef BOARDS_MPS2_AN521_SECOND_H
#define BOARDS_MPS2_AN521_SECOND_H

#include <stdint.h>

/* Like board_sampling_start(), for the second core. */
void second_core_sampling_start(uint32_t period);
/* Like bareprof_timer_remaining(), for the second core. */
uint32_t second_core_sampling_remaining(void);

#endif
