/* SPDX-License-Identifier: MIT */
/* Constants of QEMU's RISC-V "virt" machine with a 64-bit hart. */
#ifndef BOARDS_SETTINGS_H
#define BOARDS_SETTINGS_H

#define BOARD_NAME                "qemu-virt-rv64"
#define BOARD_SAMPLING_CLOCK_HZ   10000000u /* mtime */
#define BOARD_SAMPLING_PERIOD     1009u     /* 0.1 ms */
#define BOARD_CORES               2u        /* with QEMU's option -smp 2 */
#define BOARD_COUNTS_MISSED_TICKS 1
#define BOARD_ARCS                512
#define BOARD_SAMPLES             BAREPROF_BINS(16384)

#endif
