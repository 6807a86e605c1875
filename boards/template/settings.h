/* SPDX-License-Identifier: MIT */
/* Constants of the board. Change all of them. */
#ifndef BOARDS_SETTINGS_H
#define BOARDS_SETTINGS_H

/* The name in reports; up to 15 characters. */
#define BOARD_NAME "template"
/* Frequency at which the sampling timer counts, after its prescaler. */
#define BOARD_SAMPLING_CLOCK_HZ 16000000u
/* Clock units between two samples. 1,000 to 10,000 samples a second are plenty; below 512 they are not dithered. */
#define BOARD_SAMPLING_PERIOD 4001u
/* 1 if the handler calls bareprof_tick_missed(), which needs a timer that shows how late the handler runs. */
#define BOARD_COUNTS_MISSED_TICKS 0
/* RAM of the profile block: 12 bytes per arc (24 on 64-bit), 8 per granule (16), 4 per coarse bin. */
#define BOARD_ARCS    512
#define BOARD_SAMPLES BAREPROF_GRANULES(1024, 4, 64)

#endif
