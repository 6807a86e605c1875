/* SPDX-License-Identifier: MIT */
/* Constants of the HiFive1. In QEMU, where mtime runs at 10 MHz, seconds are 305 times too long. */
#ifndef BOARDS_SETTINGS_H
#define BOARDS_SETTINGS_H

#define BOARD_NAME                "hifive1"
#define BOARD_SAMPLING_CLOCK_HZ   32768u /* mtime */
#define BOARD_SAMPLING_PERIOD     521u   /* 16 ms; below 512 it would not be dithered */
#define BOARD_COUNTS_MISSED_TICKS 1
#define BOARD_ARCS                256                 /* 3 KB of RAM */
#define BOARD_SAMPLES             BAREPROF_BINS(3072) /* 6 KB of RAM */
/* Instead of the demo's 997 microseconds, in which QEMU's hart executes only 100 instructions. */
#define BOARD_WORK_MICROSECONDS 59951u

#endif
