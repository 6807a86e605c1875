/* SPDX-License-Identifier: MIT */
/*
 * A general-purpose or basic timer of an STM32 as the sampling timer, or of a GD32F or CH32F, whose timers have its
 * registers (RM0008 15.4, RM0090 18.4). In QEMU it runs on netduinoplus2.
 *
 *	BAREPROF_TIMER_STM32(TIM5_IRQHandler, 0x40000C00, 32, 50, 0x40023840, 1u << 3);
 *
 * Handler, base address, bits and interrupt number of the timer, then the register and the bit that enable its clock.
 * .clock_hz is the clock that the timer counts: where the prescaler of its bus is not 1, twice the clock of the bus.
 */
#ifndef BAREPROF_TIMER_STM32_H
#define BAREPROF_TIMER_STM32_H

#include <bareprof/timer.h>

#define BAREPROF_STM32_CR1(base)  BAREPROF_REGISTER((base) + 0x00u)
#define BAREPROF_STM32_DIER(base) BAREPROF_REGISTER((base) + 0x0Cu)
#define BAREPROF_STM32_SR(base)   BAREPROF_REGISTER((base) + 0x10u)
#define BAREPROF_STM32_CNT(base)  BAREPROF_REGISTER((base) + 0x24u)
#define BAREPROF_STM32_PSC(base)  BAREPROF_REGISTER((base) + 0x28u)
#define BAREPROF_STM32_ARR(base)  BAREPROF_REGISTER((base) + 0x2Cu)

/* With ARPE, a new reload value takes effect at the next update. Flags are cleared by writing 0; 1 leaves them alone.
 */
BAREPROF_INLINE void bareprof_stm32_next(uintptr_t base, uint32_t clock_units)
{
	BAREPROF_STM32_ARR(base) = clock_units - 1u;
	BAREPROF_STM32_SR(base) = ~1u;
}

/* So does a new prescaler. The counter is not written: it is 0 after reset, and QEMU 7.2 adds
 * the time at which a counter was written to each of its periods. */
BAREPROF_INLINE void bareprof_stm32_start(uintptr_t base, uint32_t clocks_per_count, uint32_t counts)
{
	BAREPROF_STM32_PSC(base) = clocks_per_count - 1u;
	BAREPROF_STM32_ARR(base) = counts - 1u;
	BAREPROF_STM32_DIER(base) = 1u;   /* UIE */
	BAREPROF_STM32_CR1(base) = 0x81u; /* ARPE, CEN */
}

/* QEMU 7.2 counts on after an update; the cost of a tick is then unknown. */
BAREPROF_INLINE uint32_t bareprof_stm32_left(uintptr_t base)
{
	const uint32_t last = BAREPROF_STM32_ARR(base);
	const uint32_t count = BAREPROF_STM32_CNT(base);

	return count <= last ? last - count : 0;
}

#define BAREPROF_TIMER_STM32(handler, base, bits, interrupt, clock_register, clock_bit)                     \
	BAREPROF_TIMER(handler, (bits) == 32 ? UINT32_MAX : 65536u, bareprof_stm32_next(base, clock_units), \
	               bareprof_stm32_left(base),                                                           \
	               (bareprof_register_change(clock_register, 0, clock_bit),                             \
	                (void)BAREPROF_REGISTER(clock_register), bareprof_stm32_start(base, 1, period),     \
	                bareprof_nvic_enable(interrupt)))

#endif
