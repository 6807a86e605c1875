/* SPDX-License-Identifier: MIT */
/* Constants of the LM3S6965 evaluation board. */
#ifndef BOARDS_SETTINGS_H
#define BOARDS_SETTINGS_H

#define BOARD_NAME                "lm3s6965evb"
#define BOARD_SAMPLING_CLOCK_HZ   50000000u /* the system clock, which SysTick counts */
#define BOARD_SAMPLING_PERIOD     5003u     /* 0.1 ms */
#define BOARD_COUNTS_MISSED_TICKS 0
#define BOARD_SAMPLES_BY_SYSTICK
#define BOARD_ARCS    512                 /* 6 KB of RAM */
#define BOARD_SAMPLES BAREPROF_BINS(8192) /* 16 KB of RAM */

#endif
