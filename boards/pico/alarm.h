/* SPDX-License-Identifier: MIT */
/* Alarms of the RP2040's timer. The number of an alarm is also the number of its interrupt (RP2040 data sheet, 2.3.2).
 */
#ifndef BOARDS_PICO_ALARM_H
#define BOARDS_PICO_ALARM_H

#define BAREPROF_TIMER_REMAINING __attribute__((weak))
#include <bareprof/timer_rp2.h>

#define ALARM_TIMER    0x40054000u
#define ALARM_INTR     0x34u
#define ALARM_SAMPLING 0u
#define ALARM_WORK     1u

#endif
