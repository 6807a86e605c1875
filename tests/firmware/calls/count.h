/* SPDX-License-Identifier: MIT */
/*
 * The demo's own count of its calls, for the test that holds the profile against it. With COUNT_CALLS each function
 * begins with COUNT(its name); without, that is nothing. Knows nothing of the profile.
 */
#ifndef FIRMWARE_CALLS_COUNT_H
#define FIRMWARE_CALLS_COUNT_H

#include "board.h"

#include <stdint.h>

/* Every function of the demo that runs while the profile does. */
#define COUNTED_FUNCTIONS(X)   \
	X(run_round)           \
	X(collect_window)      \
	X(find_records)        \
	X(evaluate_formulas)   \
	X(send_message)        \
	X(expression_evaluate) \
	X(parse_expression)    \
	X(parse_term)          \
	X(parse_factor)        \
	X(parse_number)        \
	X(parse_variable)      \
	X(parse_greater)       \
	X(crc32)               \
	X(rank_records)        \
	X(sort_records)        \
	X(sift_down)           \
	X(compare_by_value)    \
	X(compare_by_time)     \
	X(filter_window)       \
	X(biquad_run)          \
	X(fir_step)            \
	X(selftest_step)       \
	X(finish_pass)         \
	X(message_begin)       \
	X(message_put_number)  \
	X(message_finish)      \
	X(message_check)       \
	X(work_interrupt)      \
	X(convert_channel)     \
	X(debounce_button)     \
	X(ring_put)            \
	X(acquisition_take)

#define COUNT_INDEX(name) COUNT_##name,
enum { COUNTED_FUNCTIONS(COUNT_INDEX) CALL_COUNT_ENTRIES };

struct call_count {
	const char *name;
	uint32_t count;
};

extern struct call_count call_counts[CALL_COUNT_ENTRIES];
extern const uint32_t call_count_entries;
extern uint32_t call_counting;

/* Interrupts are masked, so that no increment is lost; inlined, so that it is no call itself. */
CORE_INLINE void count_call(unsigned index)
{
	unsigned long state = core_interrupts_save();

	call_counts[index].count += call_counting;
	core_interrupts_restore(state);
}

#ifdef COUNT_CALLS

#define COUNT(name) count_call(COUNT_##name)

/* Begin and end counting; call them with interrupts masked, together with bareprof_start() and bareprof_stop(). */
CORE_INLINE void call_counts_begin(void)
{
	call_counting = 1;
}

CORE_INLINE void call_counts_end(void)
{
	call_counting = 0;
}

/* Writes a line `calls NAME N` per function to the console. */
void call_counts_write(void);

#else

#define COUNT(name) ((void)0)

CORE_INLINE void call_counts_begin(void)
{
}

CORE_INLINE void call_counts_end(void)
{
}

CORE_INLINE void call_counts_write(void)
{
}

#endif

#endif
