/* SPDX-License-Identifier: MIT */
/*
 * The common part of the headers of sampling timers, bareprof/timer_FAMILY.h. Each defines a macro to write once, at
 * file scope, after BAREPROF_DEFINE; it defines the interrupt handler, bareprof_timer_remaining() and:
 *
 *	void bareprof_timer_start(void)            starts the timer at the rate that BAREPROF_DEFINE states; does
 *	                                           nothing if the period is unknown or does not fit the timer
 *	void bareprof_timer_set(uint32_t period)   starts it, or gives it another period, in its clock units; for
 *	                                           .set_period
 *
 * Both functions are inline, in the file that has the macro. On Cortex-M and CH32V the handler has the highest
 * priority. Exceptions: BAREPROF_TIMER_SYSTICK_OF_RTOS neither defines these functions nor sets a priority: the RTOS
 * starts the timer. The handler of BAREPROF_TIMER_SYSTIMER must be registered.
 */
#ifndef BAREPROF_TIMER_H
#define BAREPROF_TIMER_H

#include <bareprof/bareprof.h>

#define BAREPROF_REGISTER(address)      (*(volatile uint32_t *)(uintptr_t)(address))
#define BAREPROF_REGISTER_HALF(address) (*(volatile uint16_t *)(uintptr_t)(address))
#define BAREPROF_REGISTER_BYTE(address) (*(volatile uint8_t *)(uintptr_t)(address))

/* Clears and sets bits. C++20 deprecates compound assignments to volatile objects. */
BAREPROF_INLINE void bareprof_register_change(uintptr_t address, uint32_t clear, uint32_t set)
{
	BAREPROF_REGISTER(address) = (BAREPROF_REGISTER(address) & ~clear) | set;
}

/* Attributes of bareprof_timer_remaining(). Firmware that has two sampling timers to choose from makes one weak. */
#ifndef BAREPROF_TIMER_REMAINING
#define BAREPROF_TIMER_REMAINING
#endif

/* With optimisation the compiler knows the period, and one that does not fit the timer is an error of the build. */
#ifdef __OPTIMIZE__
#define BAREPROF_ERROR(text) __attribute__((error("bareprof: " text)))
#else
#define BAREPROF_ERROR(text)
#endif
BAREPROF_ERROR("the timer cannot count so far: use a higher .rate_hz, a timer of 32 bits or a slower clock")
void bareprof_period_does_not_fit(void);
BAREPROF_ERROR("BAREPROF_DEFINE needs .clock_hz and .rate_hz, or .period")
void bareprof_period_is_not_stated(void);

/* The period of the configuration; 0 if five quarters of it, the longest distance, do not fit a timer that counts up to
 * `longest` clock units. */
BAREPROF_INLINE uint32_t bareprof_timer_period(uint32_t longest)
{
	const uint32_t period = bareprof_period_of(&bareprof_layout.config);
	const bool fits = period != 0 && period <= longest / 5u * 4u;

#ifdef __OPTIMIZE__
	if (__builtin_constant_p(period) && period == 0)
		bareprof_period_is_not_stated();
	else if (__builtin_constant_p(period) && !fits)
		bareprof_period_does_not_fit();
#endif
	return fits ? period : 0;
}

/* Ends a macro of a timer with a declaration, so that a semicolon may follow it. */
#define BAREPROF_END_TIMER BAREPROF_STATIC_ASSERT(1, "")

/* bareprof_timer_set() and bareprof_timer_start(). start: an expression that starts the timer with `period`. */
#define BAREPROF_TIMER_START(longest, start)                            \
	BAREPROF_INLINE void bareprof_timer_set(uint32_t period)        \
	{                                                               \
		start;                                                  \
	}                                                               \
	BAREPROF_INLINE void bareprof_timer_start(void)                 \
	{                                                               \
		const uint32_t period = bareprof_timer_period(longest); \
                                                                        \
		if (period != 0)                                        \
			bareprof_timer_set(period);                     \
	}

/*
 * All but the handler, which calls bareprof_tick() with bareprof_NAME_next. set_next: an expression that acknowledges
 * the interrupt and sets the distance clock_units. left: the clock units until the timer fires.
 */
#define BAREPROF_TIMER_PARTS(name, longest, set_next, left, start)                              \
	BAREPROF_EXTERN_C void bareprof_##name##_next(uint32_t clock_units);                    \
	BAREPROF_CODE(bareprof_##name##_next) void bareprof_##name##_next(uint32_t clock_units) \
	{                                                                                       \
		set_next;                                                                       \
	}                                                                                       \
	BAREPROF_CODE(bareprof_timer_remaining)                                                 \
	BAREPROF_TIMER_REMAINING uint32_t bareprof_timer_remaining(void)                        \
	{                                                                                       \
		return left;                                                                    \
	}                                                                                       \
	BAREPROF_TIMER_START(longest, start)

/* The handler, by its name in the vector table, and all of the above. */
#define BAREPROF_TIMER(handler, longest, set_next, left, start)       \
	BAREPROF_TIMER_PARTS(handler, longest, set_next, left, start) \
	BAREPROF_TIMER_ISR(handler, bareprof_##handler##_next);       \
	BAREPROF_END_TIMER

/* Enables an interrupt of the NVIC with the highest priority (Armv7-M ARM B3.4), by words, as Armv6-M requires. */
BAREPROF_INLINE void bareprof_nvic_enable(uint32_t interrupt)
{
	bareprof_register_change(0xE000E400u + interrupt / 4u * 4u, 0xFFu << interrupt % 4u * 8u, 0);
	BAREPROF_REGISTER(0xE000E100u + interrupt / 32u * 4u) = 1u << interrupt % 32u;
}

#endif
