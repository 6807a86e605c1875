/* SPDX-License-Identifier: MIT */
/* Constants of the MPS2 AN386 board. */
#ifndef BOARDS_SETTINGS_H
#define BOARDS_SETTINGS_H

#define BOARD_NAME                "mps2-an386"
#define BOARD_SAMPLING_CLOCK_HZ   25000000u /* SYSCLK, which the dual timer counts */
#define BOARD_SAMPLING_PERIOD     2503u     /* 0.1 ms */
#define BOARD_COUNTS_MISSED_TICKS 0
#define BOARD_ARCS                512
#define BOARD_SAMPLES             BAREPROF_BINS(16384)

#endif
