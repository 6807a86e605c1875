/* SPDX-License-Identifier: MIT */
/* Constants of the Raspberry Pi Pico, sampled by SysTick. */
#ifndef BOARDS_SETTINGS_H
#define BOARDS_SETTINGS_H

#define BOARD_NAME                "pico-systick"
#define BOARD_SAMPLING_CLOCK_HZ   12000000u /* the system clock, which SysTick counts */
#define BOARD_SAMPLING_PERIOD     12101u    /* 1 ms */
#define BOARD_COUNTS_MISSED_TICKS 0
#define BOARD_ARCS                512
#define BOARD_SAMPLES             BAREPROF_BINS(16384)

#endif
