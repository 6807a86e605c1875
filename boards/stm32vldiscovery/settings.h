/* SPDX-License-Identifier: MIT */
/* Constants of the STM32VLDISCOVERY. The profile uses half of its RAM. */
#ifndef BOARDS_SETTINGS_H
#define BOARDS_SETTINGS_H

#define BOARD_NAME                "stm32vldisc"
#define BOARD_SAMPLING_CLOCK_HZ   24000000u /* the system clock, which SysTick counts */
#define BOARD_SAMPLING_PERIOD     2411u     /* 0.1 ms */
#define BOARD_COUNTS_MISSED_TICKS 0
#define BOARD_ARCS                128                            /* 1.5 KB of RAM */
#define BOARD_SAMPLES             BAREPROF_GRANULES(256, 16, 32) /* 2.1 KB of RAM */

#endif
