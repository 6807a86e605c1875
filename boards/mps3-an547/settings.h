/* SPDX-License-Identifier: MIT */
/* Constants of the MPS3 AN547 board. */
#ifndef BOARDS_SETTINGS_H
#define BOARDS_SETTINGS_H

#define BOARD_NAME                "mps3-an547"
#define BOARD_SAMPLING_CLOCK_HZ   8000000u /* the system counter */
#define BOARD_SAMPLING_PERIOD     797u     /* 0.1 ms */
#define BOARD_COUNTS_MISSED_TICKS 0
#define BOARD_ARCS                512
#define BOARD_SAMPLES             BAREPROF_BINS(16384)

/* The counter's clock is 32 MHz. At a quarter of it, a count takes a whole number of nanoseconds. This matters in QEMU,
 * which rounds deadlines down to nanoseconds: a deadline before its count never comes. */
#define COUNTER_DIVIDER 4u

#endif
