/* SPDX-License-Identifier: MIT */
/*
 * A TC of a SAM D21 as the sampling timer (data sheet DS40001882, 30; samd21g18a.h). Compiled in tests, never run on
 * hardware or an emulator.
 *
 *	BAREPROF_TIMER_SAMD21(TC3_Handler, 0x42002C00, 18, 1u << 11, 27, 0);
 *
 * Handler, base address and interrupt number, bit in PM_APBCMASK, number in the GCLK, and the generator there, whose
 * frequency is .clock_hz. The timer has 16 bits: at 48 MHz, .rate_hz is 916 or more.
 */
#ifndef BAREPROF_TIMER_SAMD21_H
#define BAREPROF_TIMER_SAMD21_H

#include <bareprof/timer.h>

#define BAREPROF_SAMD21_CTRLA(base)    BAREPROF_REGISTER_HALF((base) + 0x00u)
#define BAREPROF_SAMD21_READREQ(base)  BAREPROF_REGISTER_HALF((base) + 0x02u)
#define BAREPROF_SAMD21_INTENSET(base) BAREPROF_REGISTER_BYTE((base) + 0x0Du)
#define BAREPROF_SAMD21_INTFLAG(base)  BAREPROF_REGISTER_BYTE((base) + 0x0Eu)
#define BAREPROF_SAMD21_STATUS(base)   BAREPROF_REGISTER_BYTE((base) + 0x0Fu)
#define BAREPROF_SAMD21_COUNT(base)    BAREPROF_REGISTER_HALF((base) + 0x10u)
#define BAREPROF_SAMD21_CC0(base)      BAREPROF_REGISTER_HALF((base) + 0x18u)

/* The counter, which is 0 again one clock after it matched. It is read on request, by its offset. */
BAREPROF_INLINE uint32_t bareprof_samd21_count(uintptr_t base)
{
	BAREPROF_SAMD21_READREQ(base) = 0x8010u;
	while ((BAREPROF_SAMD21_STATUS(base) & 0x80u) != 0) /* SYNCBUSY */
		;
	return BAREPROF_SAMD21_COUNT(base);
}

/* The counter may pass a nearer value before it is written; it would then count up to its end. */
BAREPROF_INLINE void bareprof_samd21_next(uintptr_t base, uint32_t clock_units)
{
	BAREPROF_SAMD21_INTFLAG(base) = 0x10u; /* MC0 */
	const uint32_t earliest = bareprof_samd21_count(base) + 32u;
	BAREPROF_SAMD21_CC0(base) = (uint16_t)(clock_units > earliest ? clock_units - 1u : earliest);
}

BAREPROF_INLINE void bareprof_samd21_start(uintptr_t base, uint32_t clock_bit, uint32_t clock_control, uint32_t period)
{
	bareprof_register_change(0x40000420u, 0, clock_bit);                       /* PM_APBCMASK */
	BAREPROF_REGISTER_HALF(0x40000C02u) = (uint16_t)(0x4000u | clock_control); /* GCLK_CLKCTRL */
	BAREPROF_SAMD21_CTRLA(base) = 1u; /* SWRST, which reads as 1 until it is done */
	while ((BAREPROF_SAMD21_CTRLA(base) & 1u) != 0)
		;
	BAREPROF_SAMD21_CTRLA(base) = 0x20u; /* MFRQ: CC0 is the last value, and matches */
	BAREPROF_SAMD21_CC0(base) = (uint16_t)(period - 1u);
	BAREPROF_SAMD21_INTENSET(base) = 0x10u;
	BAREPROF_SAMD21_CTRLA(base) = 0x22u; /* ENABLE */
}

#define BAREPROF_TIMER_SAMD21(handler, base, interrupt, clock_bit, clock, generator)                \
	BAREPROF_TIMER(handler, 65536u, bareprof_samd21_next(base, clock_units),                    \
	               BAREPROF_SAMD21_CC0(base) - bareprof_samd21_count(base),                     \
	               (bareprof_samd21_start(base, clock_bit, (generator) << 8 | (clock), period), \
	                bareprof_nvic_enable(interrupt)))

#endif
