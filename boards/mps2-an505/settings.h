/* SPDX-License-Identifier: MIT */
/* Constants of the MPS2 AN505 board. */
#ifndef BOARDS_SETTINGS_H
#define BOARDS_SETTINGS_H

#define BOARD_NAME                "mps2-an505"
#define BOARD_SAMPLING_CLOCK_HZ   20000000u /* MAINCLK, which the dual timer counts */
#define BOARD_SAMPLING_PERIOD     2003u     /* 0.1 ms */
#define BOARD_COUNTS_MISSED_TICKS 0
#define BOARD_ARCS                512
#define BOARD_SAMPLES             BAREPROF_BINS(16384)

#endif
