/* SPDX-License-Identifier: MIT */
/* Timers and UART of Arm's Cortex-M System Design Kit (DDI 0479), which all MPS boards have. The addresses are in
 * devices.h. */
#ifndef BOARDS_MPS2_CMSDK_H
#define BOARDS_MPS2_CMSDK_H

#include <stdint.h>

/* DDI 0479, 4.5 APB timer. */
struct cmsdk_timer {
	volatile uint32_t control;
	volatile uint32_t value;
	volatile uint32_t reload; /* the timer counts reload + 1 clocks */
	volatile uint32_t interrupt_clear;
};

/* DDI 0479, 4.6 APB dual timer: one of its two timers. Its next period can be set while the current one runs, in the
 * background load register; the simple timer cannot do this. */
struct cmsdk_dual_timer {
	volatile uint32_t load; /* the timer counts load + 1 clocks */
	volatile uint32_t value;
	volatile uint32_t control;
	volatile uint32_t interrupt_clear; /* writing any value clears it */
	volatile uint32_t raw_interrupt;
	volatile uint32_t masked_interrupt;
	volatile uint32_t background_load;
};

#define CMSDK_DUAL_TIMER_32_BIT    0x02u /* in control */
#define CMSDK_DUAL_TIMER_INTERRUPT 0x20u
#define CMSDK_DUAL_TIMER_PERIODIC  0x40u
#define CMSDK_DUAL_TIMER_ENABLE    0x80u

#define CMSDK_TIMER_ENABLE    0x1u
#define CMSDK_TIMER_INTERRUPT 0x8u

/* DDI 0479, 4.3 APB UART. */
struct cmsdk_uart {
	volatile uint32_t data;
	volatile uint32_t state;
	volatile uint32_t control;
	volatile uint32_t interrupt_clear;
	volatile uint32_t divider;
};

#define CMSDK_UART_TRANSMIT_FULL     0x1u /* in state */
#define CMSDK_UART_RECEIVE_FULL      0x2u
#define CMSDK_UART_TRANSMIT_ENABLE   0x1u /* in control */
#define CMSDK_UART_RECEIVE_ENABLE    0x2u
#define CMSDK_UART_RECEIVE_INTERRUPT 0x8u
#define CMSDK_UART_RECEIVE_CLEAR     0x2u /* in interrupt_clear */

#endif
