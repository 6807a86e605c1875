/* SPDX-License-Identifier: MIT */
/* The machine timer of RISC-V as sampling timer: deadlines, merged ticks, and calls before a deadline. */
#include "arena.h"
#include "test.h"

#define PERIOD 1000u

static uint32_t mtime[2];
static uint32_t mtimecmp[2];

static void set_register(uint32_t *halves, uint64_t value)
{
	halves[0] = (uint32_t)value;
	halves[1] = (uint32_t)(value >> 32);
}

static uint64_t deadline(void)
{
	return (uint64_t)mtimecmp[1] << 32 | mtimecmp[0];
}

static uint32_t missed(void)
{
	return arena_word(BAREPROF_OFFSET_TICKS_MISSED);
}

/* A running profile whose timer was started at this time. */
static void begin(uint64_t now)
{
	arena_begin(8, 16);
	arena_layout.config.period = PERIOD;
	arena_layout.config.counts_missed_ticks = true;
	bareprof_init();
	bareprof_start();
	set_register(mtime, now);
	bareprof_mtimer_start(mtime, mtimecmp, PERIOD);
}

static void tick_at(uint64_t now)
{
	set_register(mtime, now);
	bareprof_mtimer_next(mtime, mtimecmp);
}

TEST(the_first_deadline_is_a_period_away)
{
	begin(0xFFFFFF00u);
	assert_int_equal(deadline(), 0xFFFFFF00u + (uint64_t)PERIOD);
}

TEST(distances_are_counted_from_the_deadline)
{
	for (uint32_t late = 0; late < PERIOD; late += 37) {
		begin(0xFFFFFF00u);
		const uint64_t first = deadline();

		tick_at(first + late);
		assert_in_range(deadline(), first + PERIOD - PERIOD / 4, first + PERIOD + PERIOD / 4);
		assert_int_equal(missed(), 0);
	}
}

/* Beyond the low half of both registers, on both sides of its end, and between them. */
TEST(nothing_happens_before_the_deadline)
{
	static const uint64_t starts[] = {0, 1, PERIOD, 0xFFFFFFFFu - PERIOD, 0xFFFFFFF0u, 0x100000000u, 0x5FFFFFFFFu};

	for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
		for (uint32_t early = 1; early <= PERIOD; early += 111) {
			begin(starts[i]);
			const uint64_t first = deadline();

			tick_at(first - early);
			assert_int_equal(deadline(), first);
			assert_int_equal(missed(), 0);
		}
}

/* Exceptions in quick succession. */
TEST(traps_between_deadlines_miss_no_tick)
{
	begin(0xFFFFF000u);
	const uint64_t start = 0xFFFFF000u;
	uint32_t ticks = 0;

	for (uint64_t now = start; now < start + 100u * PERIOD; now += 3) {
		ticks += now >= deadline();
		tick_at(now);
	}
	assert_int_equal(missed(), 0);
	assert_in_range(ticks, 90, 110);
}

TEST(merged_ticks_are_counted)
{
	for (uint32_t periods = 2; periods < 50; periods++) {
		begin(0xFFFFFF00u);
		const uint64_t first = deadline();

		tick_at(first + (uint64_t)periods * PERIOD + PERIOD / 2);
		assert_int_equal(missed(), periods);
		assert_in_range(deadline(), first + periods * (uint64_t)PERIOD + PERIOD - PERIOD / 4,
		                first + periods * (uint64_t)PERIOD + PERIOD + PERIOD / 4);
	}
}

TEST(the_period_of_the_build_is_used_before_init)
{
	begin(0);
	arena_fill_random(7);
	arena_layout.config.period = PERIOD;
	arena_remember();
	tick_at(PERIOD);
	assert_int_equal(deadline(), 2 * PERIOD);
	assert_true(arena_is_as_remembered());
}
