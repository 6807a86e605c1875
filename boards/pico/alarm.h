/* SPDX-License-Identifier: MIT */
/* Alarms of the RP2040's timer, which counts microseconds, as periodic interrupts (RP2040 data sheet, 4.6.5). An alarm
 * fires once, when the low half of the timer equals the written value. */
#ifndef BOARDS_PICO_ALARM_H
#define BOARDS_PICO_ALARM_H

#include "core.h"
#include "nvic.h"

#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(address))

#define TIMER_ALARM(alarm)     REGISTER(0x40054010u + 4u * (alarm))
#define TIMER_NOW              REGISTER(0x40054028u)
#define TIMER_INTERRUPT        REGISTER(0x40054034u)
#define TIMER_INTERRUPT_ENABLE REGISTER(0x40054038u)

/* A deadline nearer than this may pass before the alarm is set; the alarm would then fire more than an hour later. */
#define NEAREST_MICROSECONDS 3

/* The number of an alarm is also the number of its interrupt (2.3.2). */
enum alarm_number { ALARM_SAMPLING, ALARM_WORK };

struct alarm {
	enum alarm_number number;
	uint32_t deadline;
	uint32_t period;
};

/* Sets an alarm to its last deadline plus distance, or as many periods later as have passed already. Returns that
 * number. */
static inline uint32_t alarm_set(struct alarm *alarm, uint32_t distance)
{
	uint32_t skipped = 0;

	alarm->deadline += distance;
	while ((int32_t)(alarm->deadline - TIMER_NOW) < NEAREST_MICROSECONDS) {
		alarm->deadline += alarm->period;
		skipped++;
	}
	TIMER_ALARM(alarm->number) = alarm->deadline;
	return skipped;
}

/* Acknowledges an alarm that has fired, and sets the next. */
static inline uint32_t alarm_next(struct alarm *alarm, uint32_t distance)
{
	TIMER_INTERRUPT = 1u << alarm->number;
	return alarm_set(alarm, distance);
}

/* Starts an alarm, or gives it another period, and enables its interrupt. If the alarm still fires at the old deadline,
 * the new period starts from there. */
static inline void alarm_start(struct alarm *alarm, uint32_t period, uint32_t priority)
{
	unsigned long state = core_interrupts_save();

	alarm->period = period;
	alarm->deadline = TIMER_NOW;
	(void)alarm_set(alarm, period);
	TIMER_INTERRUPT_ENABLE |= 1u << alarm->number;
	nvic_enable(alarm->number, priority);
	core_interrupts_restore(state);
}

#endif
