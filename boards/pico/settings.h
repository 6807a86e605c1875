/* SPDX-License-Identifier: MIT */
/* Constants of the Raspberry Pi Pico. */
#ifndef BOARDS_SETTINGS_H
#define BOARDS_SETTINGS_H

#define BOARD_NAME                "pico"
#define BOARD_SAMPLING_CLOCK_HZ   1000000u /* the timer counts microseconds */
#define BOARD_SAMPLING_PERIOD     1009u    /* 1 ms; below 512 it would not be dithered */
#define BOARD_COUNTS_MISSED_TICKS 1
#define BOARD_ARCS                512
#define BOARD_SAMPLES             BAREPROF_BINS(16384)

#endif
