/* SPDX-License-Identifier: MIT */
/*
 * A comparator of the system timer of an ESP32-C3 or ESP32-C6 as the sampling timer, under ESP-IDF (systimer_reg.h).
 * Compiled in tests, never run on hardware or an emulator.
 *
 *	BAREPROF_TIMER_SYSTIMER(0x60023000, 1);                      ESP32-C3
 *	BAREPROF_TIMER_SYSTIMER(0x6000A000, 1);                      ESP32-C6
 *
 * Base address and comparator: FreeRTOS uses 0, esp_timer 2. .clock_hz is 16000000, .counts_missed_ticks is true. All
 * interrupts have one entry, ESP-IDF's, so register the handler before bareprof_timer_start():
 *
 *	esp_intr_alloc(ETS_SYSTIMER_TARGET1_INTR_SOURCE, ESP_INTR_FLAG_LEVEL3, bareprof_systimer_interrupt, NULL, NULL);
 *
 * Its level is the highest for C, so no other handler nests and changes mepc (components/riscv/vectors.S). It waits
 * while flash is written: ESP_INTR_FLAG_IRAM would need the recorder's constants in RAM. Code that runs while flash is
 * written must be compiled without -pg. With BAREPROF_CODE_SECTION .iram1.bareprof, ticks and calls need no cache for
 * code.
 */
#ifndef BAREPROF_TIMER_SYSTIMER_H
#define BAREPROF_TIMER_SYSTIMER_H

#include <bareprof/timer.h>

#define BAREPROF_SYSTIMER_UNIT0_OP(base)            BAREPROF_REGISTER((base) + 0x04u)
#define BAREPROF_SYSTIMER_TARGET_HIGH(base, target) BAREPROF_REGISTER((base) + 0x1Cu + 8u * (target))
#define BAREPROF_SYSTIMER_TARGET_LOW(base, target)  BAREPROF_REGISTER((base) + 0x20u + 8u * (target))
#define BAREPROF_SYSTIMER_TARGET_CONF(base, target) BAREPROF_REGISTER((base) + 0x34u + 4u * (target))
#define BAREPROF_SYSTIMER_UNIT0_HIGH(base)          BAREPROF_REGISTER((base) + 0x40u)
#define BAREPROF_SYSTIMER_UNIT0_LOW(base)           BAREPROF_REGISTER((base) + 0x44u)
#define BAREPROF_SYSTIMER_COMP_LOAD(base, target)   BAREPROF_REGISTER((base) + 0x50u + 4u * (target))
#define BAREPROF_SYSTIMER_INT_CLR(base)             BAREPROF_REGISTER((base) + 0x6Cu)
#define BAREPROF_SYSTIMER_INT_ENA(base)             ((base) + 0x64u) /* its address */

static uint64_t bareprof_systimer_deadline;

/* Counter 0. UPDATE in UNIT0_OP copies it to UNIT0_VALUE, whose halves belong together unless they are copied again. */
BAREPROF_INLINE uint64_t bareprof_systimer_now(uintptr_t base)
{
	uint32_t low, high;

	BAREPROF_SYSTIMER_UNIT0_OP(base) = 1u << 30;
	while ((BAREPROF_SYSTIMER_UNIT0_OP(base) & 1u << 29) == 0) /* VALUE_VALID */
		;
	do {
		low = BAREPROF_SYSTIMER_UNIT0_LOW(base);
		high = BAREPROF_SYSTIMER_UNIT0_HIGH(base);
	} while (BAREPROF_SYSTIMER_UNIT0_LOW(base) != low);
	return (uint64_t)high << 32 | low;
}

/* Moves the deadline by distance until it is in the future, and returns how often it had passed. If it passes while it
 * is set, the comparator fires when it is enabled again (SOC_SYSTIMER_ALARM_MISS_COMPENSATE). */
BAREPROF_INLINE uint32_t bareprof_systimer_advance(uintptr_t base, uint32_t target, uint32_t distance)
{
	const uint64_t now = bareprof_systimer_now(base);
	uint64_t deadline = bareprof_systimer_deadline + distance;
	uint32_t missed = 0;

	for (; deadline <= now; deadline += distance)
		missed++;
	bareprof_systimer_deadline = deadline;
	bareprof_register_change(base, 1u << 24 >> target, 0); /* CONF: TARGETn_WORK_EN */
	BAREPROF_SYSTIMER_TARGET_HIGH(base, target) = (uint32_t)(deadline >> 32);
	BAREPROF_SYSTIMER_TARGET_LOW(base, target) = (uint32_t)deadline;
	BAREPROF_SYSTIMER_COMP_LOAD(base, target) = 1u;
	bareprof_register_change(base, 0, 1u << 24 >> target);
	return missed;
}

/* Acknowledges the interrupt, and sets the next one. */
BAREPROF_INLINE void bareprof_systimer_acknowledge(uintptr_t base, uint32_t target, uint32_t clock_units)
{
	BAREPROF_SYSTIMER_INT_CLR(base) = 1u << target;
	bareprof_tick_missed(bareprof_systimer_advance(base, target, clock_units));
}

/* TARGETn_CONF is 0: it fires once, by counter 0. */
BAREPROF_INLINE void bareprof_systimer_start(uintptr_t base, uint32_t target, uint32_t period)
{
	bareprof_systimer_deadline = bareprof_systimer_now(base);
	BAREPROF_SYSTIMER_TARGET_CONF(base, target) = 0;
	(void)bareprof_systimer_advance(base, target, period);
	bareprof_register_change(BAREPROF_SYSTIMER_INT_ENA(base), 0, 1u << target);
}

BAREPROF_EXTERN_C void bareprof_systimer_next(uint32_t clock_units);
BAREPROF_CODE(bareprof_systimer_interrupt) static void bareprof_systimer_interrupt(void *unused)
{
	uintptr_t pc;

	(void)unused;
	__asm__ volatile("csrr %0, mepc" : "=r"(pc));
	bareprof_tick(pc, bareprof_systimer_next);
}

#define BAREPROF_TIMER_SYSTIMER(base, target)                                                                \
	BAREPROF_TIMER_PARTS(systimer, UINT32_MAX, bareprof_systimer_acknowledge(base, target, clock_units), \
	                     (uint32_t)(bareprof_systimer_deadline - bareprof_systimer_now(base)),           \
	                     bareprof_systimer_start(base, target, period))                                  \
	BAREPROF_END_TIMER

#endif
