/* SPDX-License-Identifier: MIT */
/*
 * The machine timer of a RISC-V hart as the sampling timer (privileged architecture 3.2.1), for firmware that has no
 * other use for it. The platform defines the addresses of its registers.
 */
#include "recorder/recorder.h"

/* Reads the low and high half of a 64-bit register again if the high half changes in between. */
BAREPROF_INLINE uint64_t register_read(const volatile uint32_t *halves)
{
	uint32_t high;
	uint32_t low;

	do {
		high = halves[1];
		low = halves[0];
	} while (halves[1] != high);
	return (uint64_t)high << 32 | low;
}

/* In the order of the manual's example: no deadline in between is earlier than both. */
BAREPROF_INLINE void deadline_write(volatile uint32_t *mtimecmp, uint64_t deadline)
{
	mtimecmp[1] = 0xFFFFFFFFu;
	mtimecmp[0] = (uint32_t)deadline;
	mtimecmp[1] = (uint32_t)(deadline >> 32);
}

BAREPROF_CODE(bareprof_mtimer_start)
void bareprof_mtimer_start(const volatile uint32_t *mtime, volatile uint32_t *mtimecmp, uint32_t period)
{
	deadline_write(mtimecmp, register_read(mtime) + period);
}

/* Until init has run, the period in the configuration: the block must not be read before. */
BAREPROF_CODE(bareprof_current_period) static uint32_t bareprof_current_period(void)
{
	const volatile struct header *header = block_header();

	return block_is_initialised(header) ? header->period : bareprof_period();
}

/*
 * Deadlines follow one another independently of when the handler ran. Deadlines that have passed were merged while
 * interrupts were masked, or while a debugger halted the hart but not mtime. The division has only 32 bits: after a
 * longer time, the next interrupts, which follow at once, catch up on the rest. A deadline in the future is kept: the
 * timer did not cause this trap.
 */
BAREPROF_CODE(bareprof_deadline_follow)
static __attribute__((noinline)) void bareprof_deadline_follow(const volatile uint32_t *mtime,
                                                               volatile uint32_t *mtimecmp, uint32_t clock_units)
{
	const uint32_t period = bareprof_current_period();
	uint64_t deadline = register_read(mtimecmp);
	const uint64_t now = register_read(mtime);
	const uint64_t passed = now - deadline;
	const uint32_t late = passed < UINT32_MAX ? (uint32_t)passed : UINT32_MAX;

	if (now < deadline)
		return;
	if (late >= period && period != 0) {
		const uint32_t missed = late / period;

		bareprof_tick_missed(missed);
		deadline += (uint64_t)missed * period;
	}
	deadline_write(mtimecmp, deadline + clock_units);
}

/* In most cases the next deadline is in the future and has the same high half as the last, so that one store sets it.
 * If the high half of mtime changes between its two reads, the low half is too far from the deadline for this case. */
BAREPROF_CODE(bareprof_mtimer_set)
void bareprof_mtimer_set(const volatile uint32_t *mtime, volatile uint32_t *mtimecmp, uint32_t clock_units)
{
	const bool is_same_half = mtime[1] == mtimecmp[1];
	const uint32_t deadline = mtimecmp[0];
	const uint32_t next = deadline + clock_units;

	if (is_same_half && mtime[0] - deadline < clock_units && next > deadline)
		mtimecmp[0] = next;
	else
		bareprof_deadline_follow(mtime, mtimecmp, clock_units);
}

BAREPROF_CODE(bareprof_mtimer_next)
void bareprof_mtimer_next(const volatile uint32_t *mtime, volatile uint32_t *mtimecmp)
{
	bareprof_mtimer_set(mtime, mtimecmp, bareprof_dither(bareprof_current_period()));
}
