/* SPDX-License-Identifier: MIT */
/*
 * Secure addresses and interrupts of devices in the AN547 image (Arm DAI 0547, memory map and interrupt map). Its
 * timers belong to the SSE-300 subsystem (Arm 101773, system timers and system counter); the SSE-123 manual (Arm
 * 101370) describes their registers.
 */
#ifndef BOARDS_MPS3_AN547_DEVICES_H
#define BOARDS_MPS3_AN547_DEVICES_H

#include "cmsdk.h"

/* Control frame of the counter that all system timers compare with. */
struct system_counter {
	volatile uint32_t control;
	volatile uint32_t status;
	volatile uint32_t value_low;
	volatile uint32_t value_high;
	volatile uint32_t scale; /* added to the count at each clock, in 1/2^24; written while the counter is off */
};

#define SYSTEM_COUNTER_ENABLE 0x1u
#define SYSTEM_COUNTER_SCALE  0x4u
#define SYSTEM_COUNTER_ONE    0x01000000u

struct system_timer {
	volatile uint32_t count_low;
	volatile uint32_t count_high;
	volatile uint32_t reserved_08[2];
	volatile uint32_t frequency;
	volatile uint32_t reserved_14[3];
	volatile uint32_t compare_low;
	volatile uint32_t compare_high;
	volatile uint32_t compare_value;
	volatile uint32_t control;
	volatile uint32_t reserved_30[4];
	volatile uint32_t increment_low;
	volatile uint32_t increment_high;
	volatile uint32_t increment_reload;
	volatile uint32_t increment_control;
};

#define SYSTEM_TIMER_ENABLE    0x1u
#define SYSTEM_TIMER_INCREMENT 0x1u /* in increment_control: interrupts every increment_reload counts */

#define SYSTEM_COUNTER   ((struct system_counter *)0x58100000u)
#define TIMER0           ((struct system_timer *)0x58000000u)
#define TIMER1           ((struct system_timer *)0x58001000u)
#define UART0            ((struct cmsdk_uart *)0x59303000u)
#define TIMER0_INTERRUPT 3u
#define TIMER1_INTERRUPT 4u
#define UART0_INTERRUPT  33u       /* receive */
#define UART_CLOCK_HZ    25000000u /* PERIF_CLK */

#endif
