/* SPDX-License-Identifier: MIT */
/* The recorder on RAM that it has not initialised. */
#include "arena.h"
#include "test.h"

#include <string.h>

static unsigned acknowledged;
static unsigned periods_set;

static void acknowledge(uint32_t clock_units)
{
	(void)clock_units;
	acknowledged++;
}

static void set_period(uint32_t clock_units)
{
	(void)clock_units;
	periods_set++;
}

BAREPROF_TIMER_ISR(timer_interrupt, acknowledge)

void __cyg_profile_func_enter(void *function, void *call_site);

static void call_every_entry_point(void)
{
	uintptr_t text = (uintptr_t)bareprof_text_start;

	bareprof_arc(arena_random(), arena_random() | 1u);
	__cyg_profile_func_enter((void *)text, (void *)(text + 8));
	bareprof_sample(text + arena_random() % ARENA_TEXT_SIZE);
	timer_interrupt(text);
	bareprof_tick_missed(3);
	bareprof_start();
	bareprof_arc(text + 4, text + 64);
	bareprof_sample(text + 100);
	bareprof_stop();
	bareprof_clock_changed(arena_random());
	bareprof_reset();
	for (unsigned tick = 0; tick < 8; tick++)
		bareprof_sample(text + tick);
}

TEST(garbage_in_ram_is_not_touched_before_init)
{
	arena_begin(64, 256);
	arena_layout.config.set_period = set_period;
	for (uint32_t seed = 1; seed <= 1000; seed++) {
		arena_fill_random(seed);
		arena_remember();
		call_every_entry_point();
		assert_true(arena_is_as_remembered());
	}
	assert_int_equal(periods_set, 0);
}

TEST(ram_of_one_value_is_not_touched_before_init)
{
	arena_begin(64, 256);
	for (unsigned value = 0; value < 256; value++) {
		memset(arena_bytes(0), (int)value, arena_layout.block_size);
		arena_remember();
		call_every_entry_point();
		assert_true(arena_is_as_remembered());
	}
}

TEST(the_timer_is_acknowledged_for_any_contents_of_ram)
{
	arena_begin(64, 256);
	acknowledged = 0;
	timer_interrupt(0);
	assert_int_equal(acknowledged, 1);
}

/* Another build was flashed and the core was reset: the RAM holds the old build's block, its gate open, and everything
 * in it may be wrong for the new one. */
TEST(a_stale_open_gate_leads_to_no_write_outside_the_block)
{
	arena_begin(32, 64);
	for (uint32_t seed = 1; seed <= 1000; seed++) {
		arena_fill_random(seed);
		arena_set_state(BAREPROF_STATE_RUNNING);
		if (seed % 2)
			arena_set_state(seed % 8);
		if (seed % 3)
			arena_set_word(BAREPROF_OFFSET_LEFT_TO_CLEAR, seed * 4);
		if (seed % 5)
			arena_set_word(BAREPROF_OFFSET_CONTROL_REQUEST, BAREPROF_REQUEST(seed, seed % 5));
		arena_remember();
		for (unsigned round = 0; round < 20; round++)
			call_every_entry_point();
		assert_true(arena_is_untouched_outside_block());
	}
}

TEST(larger_block_is_written_only_up_to_the_smaller_size)
{
	arena_begin_running(1024, 4096);
	arena_use_bins(16, 32);
	arena_remember();
	for (unsigned i = 0; i < 5000; i++) {
		bareprof_arc(arena_random(), arena_random() | 1u);
		bareprof_sample((uintptr_t)bareprof_text_start + arena_random() % ARENA_TEXT_SIZE);
	}
	assert_true(arena_is_untouched_outside_block());
	bareprof_init();
	assert_true(arena_is_untouched_outside_block());
	assert_int_equal(arena_word(BAREPROF_OFFSET_BLOCK_SIZE), arena_layout.block_size);
	assert_int_equal(arena_calls(), 0);
}

TEST(nothing_is_recorded_while_the_gate_is_closed)
{
	arena_begin(64, 256);
	bareprof_init();
	arena_remember();
	bareprof_arc(0x1000, 0x2000);
	bareprof_sample((uintptr_t)bareprof_text_start);
	bareprof_tick_missed(1);
	assert_true(arena_is_as_remembered());
}
