/* SPDX-License-Identifier: MIT */
/* Constants of the nRF52840-DK. The core runs at 64 MHz after reset. */
#ifndef BOARDS_SETTINGS_H
#define BOARDS_SETTINGS_H

#define BOARD_NAME                "nrf52840-dk"
#define BOARD_SAMPLING_CLOCK_HZ   16000000u /* PCLK16M, which TIMER0 counts */
#define BOARD_SAMPLING_PERIOD     1601u     /* 0.1 ms */
#define BOARD_COUNTS_MISSED_TICKS 0
#define BOARD_ARCS                512
#define BOARD_SAMPLES             BAREPROF_BINS(16384)
#define BOARD_TRANSMIT_PIN        6u /* P0.06, to the interface chip; DK user guide, section 7.4 */
#define BOARD_RECEIVE_PIN         8u /* P0.08 */

#endif
