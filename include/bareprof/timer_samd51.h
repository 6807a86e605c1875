/* SPDX-License-Identifier: MIT */
/*
 * A TC of a SAM D51 or E5x as the sampling timer (data sheet DS60001507, chapter TC; samd51j20a.h). Compiled in tests,
 * never run on hardware or an emulator.
 *
 *	BAREPROF_TIMER_SAMD51(TC2_Handler, 0x4101A000, 109, 0x40000818, 1u << 13, 26, 0);
 *
 * Handler, base address and interrupt number, register and bit in the MCLK, number in the GCLK, and the generator
 * there, whose frequency is .clock_hz. The timer has 16 bits: at 48 MHz, .rate_hz is 916 or more.
 */
#ifndef BAREPROF_TIMER_SAMD51_H
#define BAREPROF_TIMER_SAMD51_H

#include <bareprof/timer.h>

#define BAREPROF_SAMD51_CTRLA(base)     BAREPROF_REGISTER((base) + 0x00u)
#define BAREPROF_SAMD51_CTRLBSET(base)  BAREPROF_REGISTER_BYTE((base) + 0x05u)
#define BAREPROF_SAMD51_INTENSET(base)  BAREPROF_REGISTER_BYTE((base) + 0x09u)
#define BAREPROF_SAMD51_INTFLAG(base)   BAREPROF_REGISTER_BYTE((base) + 0x0Au)
#define BAREPROF_SAMD51_WAVE(base)      BAREPROF_REGISTER_BYTE((base) + 0x0Cu)
#define BAREPROF_SAMD51_SYNCBUSY(base)  BAREPROF_REGISTER((base) + 0x10u)
#define BAREPROF_SAMD51_COUNT(base)     BAREPROF_REGISTER_HALF((base) + 0x14u)
#define BAREPROF_SAMD51_CC0(base)       BAREPROF_REGISTER_HALF((base) + 0x1Cu)
#define BAREPROF_SAMD51_CCBUF0(base)    BAREPROF_REGISTER_HALF((base) + 0x30u)
#define BAREPROF_SAMD51_PCHCTRL(number) BAREPROF_REGISTER(0x40001C80u + 4u * (number)) /* of the GCLK */

/* The counter is read on request, by a command that is 0 when it is done. */
BAREPROF_INLINE uint32_t bareprof_samd51_left(uintptr_t base)
{
	const uint32_t last = BAREPROF_SAMD51_CC0(base);

	BAREPROF_SAMD51_CTRLBSET(base) = 0x80u; /* READSYNC */
	while (BAREPROF_SAMD51_SYNCBUSY(base) != 0 || (BAREPROF_SAMD51_CTRLBSET(base) & 0xE0u) != 0)
		;
	return last - BAREPROF_SAMD51_COUNT(base);
}

/* A value in CCBUF0 takes effect at the next match. */
BAREPROF_INLINE void bareprof_samd51_next(uintptr_t base, uint32_t clock_units)
{
	BAREPROF_SAMD51_INTFLAG(base) = 0x10u;
	BAREPROF_SAMD51_CCBUF0(base) = (uint16_t)(clock_units - 1u);
}

BAREPROF_INLINE void bareprof_samd51_start(uintptr_t base, uint32_t clock, uint32_t generator, uint32_t period)
{
	BAREPROF_SAMD51_PCHCTRL(clock) = 0x40u | generator;
	BAREPROF_SAMD51_CTRLA(base) = 1u; /* SWRST */
	while ((BAREPROF_SAMD51_SYNCBUSY(base) & 1u) != 0)
		;
	BAREPROF_SAMD51_WAVE(base) = 1u; /* MFRQ: CC0 is the last value, and matches */
	BAREPROF_SAMD51_CC0(base) = (uint16_t)(period - 1u);
	BAREPROF_SAMD51_INTENSET(base) = 0x10u; /* MC0 */
	BAREPROF_SAMD51_CTRLA(base) = 2u;       /* ENABLE */
}

#define BAREPROF_TIMER_SAMD51(handler, base, interrupt, clock_register, clock_bit, clock, generator)         \
	BAREPROF_TIMER(handler, 65536u, bareprof_samd51_next(base, clock_units), bareprof_samd51_left(base), \
	               (bareprof_register_change(clock_register, 0, clock_bit),                              \
	                bareprof_samd51_start(base, clock, generator, period), bareprof_nvic_enable(interrupt)))

#endif
