/* SPDX-License-Identifier: MIT */
/*
 * A general-purpose timer of an STM32 that interrupts periodically, TIM2 to TIM5 of F1 and F4: RM0008 15.4, RM0090
 * 18.4.
 */
#ifndef BOARDS_STM32_TIMER_H
#define BOARDS_STM32_TIMER_H

#include <stdint.h>

struct timer {
	volatile uint32_t control1;
	volatile uint32_t unused[2];
	volatile uint32_t interrupt_enable;
	volatile uint32_t status;
	volatile uint32_t more_unused[4];
	volatile uint32_t count;       /* up, from 0 */
	volatile uint32_t prescaler;   /* the timer counts every prescaler + 1 clocks */
	volatile uint32_t auto_reload; /* and interrupts every auto_reload + 1 counts */
};

#define TIMER_ENABLE           (1u << 0)
#define TIMER_RELOAD_PRELOADED (1u << 7)
#define TIMER_UPDATE           (1u << 0)

/* Flags are cleared by writing 0; writing 1 leaves the others alone. */
static inline void timer_acknowledge(struct timer *timer)
{
	timer->status = ~TIMER_UPDATE;
}

/* Sets the period from the next update on; the current one is not changed. */
static inline void timer_next(struct timer *timer, uint32_t counts)
{
	timer->auto_reload = counts - 1u;
}

/* The counts until the next update. Valid only if the next period equals the current one. */
static inline uint32_t timer_remaining(const struct timer *timer)
{
	return timer->auto_reload - timer->count;
}

/*
 * counts is at most 65,536 if the timer has 16 bits. The counter is not written: it is 0 after reset, and later the new
 * period and prescaler, which are preloaded, follow the current period. QEMU 7.2 adds the time at which a counter was
 * written to each of its periods.
 */
static inline void timer_start(struct timer *timer, uint32_t clocks_per_count, uint32_t counts)
{
	timer->prescaler = clocks_per_count - 1u;
	timer->auto_reload = counts - 1u;
	timer->interrupt_enable = TIMER_UPDATE;
	timer->control1 = TIMER_ENABLE | TIMER_RELOAD_PRELOADED;
}

#endif
