/* SPDX-License-Identifier: MIT */
/*
 * A channel of the PIT of an i.MX RT10xx as the sampling timer (i.MX RT1060 Reference Manual, chapter PIT; fsl_pit.h,
 * MIMXRT1062.h). Compiled in tests, never run on hardware or an emulator.
 *
 *	BAREPROF_TIMER_PIT(PIT_IRQHandler, 0x40084000, 3, 122, 0x400FC06C, 3u << 12);
 *
 * Handler, base address, numbers of the channel and of the interrupt, then the register and the bits that enable its
 * clock, here CCM_CCGR1 of an i.MX RT1060. .clock_hz is PERCLK. The four channels have one interrupt: no other channel
 * may use it, as the handler serves only its own.
 */
#ifndef BAREPROF_TIMER_PIT_H
#define BAREPROF_TIMER_PIT_H

#include <bareprof/timer.h>

#define BAREPROF_PIT_LDVAL(base, channel) BAREPROF_REGISTER((base) + 0x100u + 0x10u * (channel))
#define BAREPROF_PIT_CVAL(base, channel)  BAREPROF_REGISTER((base) + 0x104u + 0x10u * (channel))
#define BAREPROF_PIT_TCTRL(base, channel) BAREPROF_REGISTER((base) + 0x108u + 0x10u * (channel))
#define BAREPROF_PIT_TFLG(base, channel)  BAREPROF_REGISTER((base) + 0x10Cu + 0x10u * (channel))

/* A value in LDVAL takes effect at the next expiry. The flag is read so that it is cleared before the handler returns:
 * the clock of the PIT may be slow. */
BAREPROF_INLINE void bareprof_pit_next(uintptr_t base, uint32_t channel, uint32_t clock_units)
{
	BAREPROF_PIT_TFLG(base, channel) = 1u; /* TIF */
	BAREPROF_PIT_LDVAL(base, channel) = clock_units - 1u;
	(void)BAREPROF_PIT_TFLG(base, channel);
}

BAREPROF_INLINE void bareprof_pit_start(uintptr_t base, uint32_t channel, uint32_t period)
{
	bareprof_register_change(base, 2u, 0); /* MCR: MDIS */
	BAREPROF_PIT_TCTRL(base, channel) = 0;
	BAREPROF_PIT_LDVAL(base, channel) = period - 1u;
	BAREPROF_PIT_TFLG(base, channel) = 1u;
	BAREPROF_PIT_TCTRL(base, channel) = 3u; /* TIE, TEN */
}

#define BAREPROF_TIMER_PIT(handler, base, channel, interrupt, clock_register, clock_bits)                             \
	BAREPROF_TIMER(                                                                                               \
	        handler, UINT32_MAX, bareprof_pit_next(base, channel, clock_units), BAREPROF_PIT_CVAL(base, channel), \
	        (bareprof_register_change(clock_register, 0, clock_bits), (void)BAREPROF_REGISTER(clock_register),    \
	         bareprof_pit_start(base, channel, period), bareprof_nvic_enable(interrupt)))

#endif
