/* SPDX-License-Identifier: MIT */
/*
 * Addresses and interrupts of devices in the images for Cortex-M33 (Arm DAI 0505 and DAI 0521, memory map and interrupt
 * map). Every device has a Secure address, 0x5xxxxxxx, and a Non-secure address, 0x4xxxxxxx. It answers at only one of
 * them; after reset, at the Secure address.
 */
#ifndef BOARDS_MPS2_DEVICES_H
#define BOARDS_MPS2_DEVICES_H

#include "board.h"
#include "cmsdk.h"

#ifdef BOARD_IS_NONSECURE
#define DEVICES 0x40000000u
#else
#define DEVICES 0x50000000u
#endif

#define TIMER1               ((struct cmsdk_timer *)(DEVICES + 0x001000u))
#define DUAL_TIMER           ((struct cmsdk_dual_timer *)(DEVICES + 0x002000u))
#define UART0                ((struct cmsdk_uart *)(DEVICES + 0x200000u))
#define TIMER0_INTERRUPT     3u
#define TIMER1_INTERRUPT     4u
#define DUAL_TIMER_INTERRUPT 5u
#define UART0_INTERRUPT      32u       /* receive */
#define UART_CLOCK_HZ        20000000u /* MAINCLK */

#endif
