/* SPDX-License-Identifier: MIT */
/*
 * A TIMER of an nRF51, nRF52, nRF53 or nRF91 as the sampling timer, at 16 MHz (nRF51 Series Reference Manual 3.0,
 * chapter TIMER; nRF52840 Product Specification 1.1, 6.30). In QEMU it runs on the microbit.
 *
 *	BAREPROF_TIMER_NRF(TIMER0_IRQHandler, 0x40008000, 8);
 *
 * Handler, base address and interrupt number. On an nRF51 only TIMER0 has the 32 bits that this needs. .clock_hz is
 * 16000000.
 */
#ifndef BAREPROF_TIMER_NRF_H
#define BAREPROF_TIMER_NRF_H

#include <bareprof/timer.h>

#define BAREPROF_NRF_START(base)     BAREPROF_REGISTER((base) + 0x000u)
#define BAREPROF_NRF_STOP(base)      BAREPROF_REGISTER((base) + 0x004u)
#define BAREPROF_NRF_CLEAR(base)     BAREPROF_REGISTER((base) + 0x00Cu)
#define BAREPROF_NRF_CAPTURE1(base)  BAREPROF_REGISTER((base) + 0x044u)
#define BAREPROF_NRF_COMPARE0(base)  BAREPROF_REGISTER((base) + 0x140u)
#define BAREPROF_NRF_SHORTS(base)    BAREPROF_REGISTER((base) + 0x200u)
#define BAREPROF_NRF_INTENSET(base)  BAREPROF_REGISTER((base) + 0x304u)
#define BAREPROF_NRF_MODE(base)      BAREPROF_REGISTER((base) + 0x504u)
#define BAREPROF_NRF_BITMODE(base)   BAREPROF_REGISTER((base) + 0x508u)
#define BAREPROF_NRF_PRESCALER(base) BAREPROF_REGISTER((base) + 0x510u)
#define BAREPROF_NRF_CC0(base)       BAREPROF_REGISTER((base) + 0x540u)
#define BAREPROF_NRF_CC1(base)       BAREPROF_REGISTER((base) + 0x544u)

/* The clocks since the counter last matched, when it began again at 0. */
BAREPROF_INLINE uint32_t bareprof_nrf_count(uintptr_t base)
{
	BAREPROF_NRF_CAPTURE1(base) = 1;
	return BAREPROF_NRF_CC1(base);
}

/* The counter may pass a nearer value before it is written; the next match would then be minutes away. */
BAREPROF_INLINE void bareprof_nrf_next(uintptr_t base, uint32_t clock_units)
{
	BAREPROF_NRF_COMPARE0(base) = 0;
	const uint32_t earliest = bareprof_nrf_count(base) + 16u;
	BAREPROF_NRF_CC0(base) = clock_units > earliest ? clock_units : earliest;
}

/* Counts clocks of 16 MHz >> prescaler, in 32 bits (3) or 16 (0). */
BAREPROF_INLINE void bareprof_nrf_start(uintptr_t base, uint32_t bit_mode, uint32_t prescaler, uint32_t clocks)
{
	BAREPROF_NRF_STOP(base) = 1;
	BAREPROF_NRF_CLEAR(base) = 1;
	BAREPROF_NRF_COMPARE0(base) = 0;
	BAREPROF_NRF_MODE(base) = 0; /* timer */
	BAREPROF_NRF_BITMODE(base) = bit_mode;
	BAREPROF_NRF_PRESCALER(base) = prescaler;
	BAREPROF_NRF_CC0(base) = clocks;
	BAREPROF_NRF_SHORTS(base) = 1;          /* COMPARE0_CLEAR */
	BAREPROF_NRF_INTENSET(base) = 0x10000u; /* COMPARE0 */
	BAREPROF_NRF_START(base) = 1;
}

#define BAREPROF_TIMER_NRF(handler, base, interrupt)                              \
	BAREPROF_TIMER(handler, UINT32_MAX, bareprof_nrf_next(base, clock_units), \
	               BAREPROF_NRF_CC0(base) - bareprof_nrf_count(base),         \
	               (bareprof_nrf_start(base, 3, 0, period), bareprof_nvic_enable(interrupt)))

#endif
