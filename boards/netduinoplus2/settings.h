/* SPDX-License-Identifier: MIT */
/* Constants of the Netduino Plus 2. In QEMU, where the timers run at 1 GHz, seconds are 12 times too long. */
#ifndef BOARDS_SETTINGS_H
#define BOARDS_SETTINGS_H

#define BOARD_NAME                "netduinoplus2"
#define BOARD_SAMPLING_CLOCK_HZ   84000000u /* timers of APB1 */
#define BOARD_SAMPLING_PERIOD     42013u    /* 0.5 ms */
#define BOARD_COUNTS_MISSED_TICKS 0
#define BOARD_ARCS                512
#define BOARD_SAMPLES             BAREPROF_BINS(16384)

#endif
