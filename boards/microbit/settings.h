/* SPDX-License-Identifier: MIT */
/* Constants of the micro:bit, version 1. */
#ifndef BOARDS_SETTINGS_H
#define BOARDS_SETTINGS_H

#define BOARD_NAME                "microbit"
#define BOARD_SAMPLING_CLOCK_HZ   16000000u /* PCLK16M, which TIMER0 counts */
#define BOARD_SAMPLING_PERIOD     1601u     /* 0.1 ms */
#define BOARD_COUNTS_MISSED_TICKS 0
#define BOARD_ARCS                256                 /* 3 KB of RAM */
#define BOARD_SAMPLES             BAREPROF_BINS(3072) /* 6 KB of RAM */
#define BOARD_TRANSMIT_PIN        24u                 /* to the USB interface chip, micro:bit schematic 1.5 */
#define BOARD_RECEIVE_PIN         25u

#endif
