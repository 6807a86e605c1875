/* SPDX-License-Identifier: MIT */
/* Addresses and interrupts of devices in the images for v7-M cores (Arm DAI 0385, DAI 0386 and DAI 0500, memory map and
 * interrupt map). */
#ifndef BOARDS_MPS2_DEVICES_H
#define BOARDS_MPS2_DEVICES_H

#include "cmsdk.h"

#define TIMER1               ((struct cmsdk_timer *)0x40001000u)
#define DUAL_TIMER           ((struct cmsdk_dual_timer *)0x40002000u)
#define UART0                ((struct cmsdk_uart *)0x40004000u)
#define UART0_INTERRUPT      0u /* receive */
#define TIMER1_INTERRUPT     9u
#define DUAL_TIMER_INTERRUPT 10u
#define UART_CLOCK_HZ        25000000u /* SYSCLK */

#endif
