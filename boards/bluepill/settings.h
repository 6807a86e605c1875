/* SPDX-License-Identifier: MIT */
/* Constants of the Blue Pill. */
#ifndef BOARDS_SETTINGS_H
#define BOARDS_SETTINGS_H

#define BOARD_NAME              "bluepill"
#define BOARD_SAMPLING_CLOCK_HZ 8000000u /* the internal oscillator, which TIM2 counts */
/* 0.25 ms. Five quarters of the period must not exceed 65,536. */
#define BOARD_SAMPLING_PERIOD     2003u
#define BOARD_COUNTS_MISSED_TICKS 0
#define BOARD_ARCS                256                 /* 3 KB of RAM */
#define BOARD_SAMPLES             BAREPROF_BINS(4096) /* 8 KB of RAM */

#endif
