/* SPDX-License-Identifier: MIT */
/*
 * An alarm of the RP2040's TIMER as the sampling timer, in microseconds (RP2040 data sheet 4.6), or of TIMER0 of an
 * RP2350 (RP2350 data sheet 12.8). Tested in rp2040js; never run on an RP2350.
 *
 *	BAREPROF_TIMER_RP2(isr_irq3, 0x40054000, 3, 3, 0x34);                 RP2040, alarm 3
 *	BAREPROF_TIMER_RP2(isr_irq3, 0x400B0000, 3, 3, 0x3C);                 RP2350
 *
 * Handler, base address, numbers of the alarm and of its interrupt, offset of the register INTR. Claim the alarm with
 * hardware_alarm_claim(). .clock_hz is 1000000. .counts_missed_ticks is true: deadlines that have passed are counted.
 */
#ifndef BAREPROF_TIMER_RP2_H
#define BAREPROF_TIMER_RP2_H

#include <bareprof/timer.h>

#define BAREPROF_RP2_ALARM(base, alarm) BAREPROF_REGISTER((base) + 0x10u + 4u * (alarm))
#define BAREPROF_RP2_NOW(base)          BAREPROF_REGISTER((base) + 0x28u) /* TIMERAWL */

struct bareprof_rp2 {
	uint32_t deadline;
	uint32_t period;
};

/* Sets the alarm to its last deadline plus distance. If that has passed, adds periods until it has not, and returns
 * their number. A deadline nearer than 3 us may pass before it is written; the alarm would then fire more than an hour
 * later. */
BAREPROF_INLINE uint32_t bareprof_rp2_next(struct bareprof_rp2 *timer, uintptr_t base, uint32_t alarm,
                                           uint32_t distance)
{
	uint32_t missed = 0;

	timer->deadline += distance;
	while ((int32_t)(timer->deadline - BAREPROF_RP2_NOW(base)) < 3) {
		timer->deadline += timer->period;
		missed++;
	}
	BAREPROF_RP2_ALARM(base, alarm) = timer->deadline;
	return missed;
}

/* Starts the alarm and enables its interrupt in the timer, by the alias that sets bits of a register (RP2040 data sheet
 * 2.1.2). If it still fires at an old deadline, the new period starts from there. */
BAREPROF_INLINE void bareprof_rp2_start(struct bareprof_rp2 *timer, uintptr_t base, uint32_t alarm, uint32_t intr,
                                        uint32_t period)
{
	timer->period = period;
	timer->deadline = BAREPROF_RP2_NOW(base);
	(void)bareprof_rp2_next(timer, base, alarm, period);
	BAREPROF_REGISTER(base + 0x2000u + intr + 4u) = 1u << alarm; /* INTE */
}

#define BAREPROF_TIMER_RP2(handler, base, alarm, interrupt, intr)                                   \
	static struct bareprof_rp2 bareprof_rp2;                                                    \
	BAREPROF_TIMER(                                                                             \
	        handler, INT32_MAX,                                                                 \
	        (BAREPROF_REGISTER((base) + (intr)) = 1u << (alarm),                                \
	         bareprof_tick_missed(bareprof_rp2_next(&bareprof_rp2, base, alarm, clock_units))), \
	        bareprof_rp2.deadline - BAREPROF_RP2_NOW(base),                                     \
	        (bareprof_rp2_start(&bareprof_rp2, base, alarm, intr, period), bareprof_nvic_enable(interrupt)))

#endif
