/* SPDX-License-Identifier: MIT */
/* Intervals between two captures of one profile. */
#include "decode.h"
#include "test.h"

#include <bareprof/block.h>

#include <string.h>

#define BASE 0x8000u
#define END  0x8100u

/* An empty block of a running profile. */
static struct build_block running_block(void)
{
	static struct build_block block;

	build_block_defaults(&block);
	block.state = BAREPROF_STATE_RUNNING;
	block.ranges[0][0] = BASE;
	block.ranges[0][1] = END;
	block.range_count = 1;
	return block;
}

/* A block with a cell, an arc and some losses. */
static struct build_block plain_block(void)
{
	struct build_block block = running_block();

	build_block_sample(&block, BASE + 8, 100);
	build_block_arc(&block, BASE + 5, BASE + 33, 1000);
	block.ticks_missed = 3;
	block.arcs_dropped = 7;
	return block;
}

static struct build_block contexts_block(void)
{
	struct build_block block = running_block();

	block.granule_capacity = 32;
	block.granule_shift = 3;
	block.bin_shift = 6;
	block.bin_bytes = 4;
	block.context_count = 2;
	block.contexts[0] = "idle";
	block.contexts[1] = "uart";
	block.counts_switches = true;
	block.switches[0] = 10;
	block.switches[1] = 20;
	build_block_granule(&block, BASE, 5, 0);
	build_block_granule(&block, BASE, 7, 1);
	return block;
}

/* The interval between two blocks. */
static struct capture *between(const struct build_block *earlier, const struct build_block *later,
                               enum capture_course expected)
{
	enum capture_course course;
	const struct capture *before = decode_block(earlier, NULL), *after = decode_block(later, NULL);
	struct capture *interval = capture_since(after, before, &course);

	assert_non_null(interval);
	assert_int_equal(course, expected);
	return close_capture_later(interval);
}

TEST(interval_has_only_what_was_counted_since)
{
	const struct build_block earlier = plain_block();
	struct build_block later = earlier;

	build_block_sample(&later, BASE + 8, 20);
	build_block_sample(&later, BASE + 64, 5);
	later.arcs[0].count = 1300;
	build_block_arc(&later, BASE + 65, BASE + 33, 2);
	later.ticks_missed = 4;
	later.arcs_dropped = 17;
	const struct capture_block *block = between(&earlier, &later, CAPTURE_CONTINUES)->blocks;
	assert_cells(block, "8008-800c 20\n8040-8044 5\n");
	assert_arcs(block, "8005>8021 300\n8041>8021 2\n");
	assert_int_equal(block->header.ticks, 25);
	assert_int_equal(block->header.ticks_missed, 1);
	assert_int_equal(block->header.arcs_dropped, 10);
}

TEST(interval_of_a_stopped_profile_is_empty)
{
	const struct build_block block = plain_block();
	const struct capture_block *interval = between(&block, &block, CAPTURE_CONTINUES)->blocks;

	assert_int_equal(interval->cell_count, 0);
	assert_int_equal(interval->arc_count, 0);
	assert_int_equal(interval->header.ticks, 0);
}

TEST(contexts_are_subtracted_one_by_one)
{
	const struct build_block earlier = contexts_block();
	struct build_block later = earlier;

	later.granules[1].count = 9;
	build_block_granule(&later, BASE + 8, 1, 1);
	build_block_arc_of(&later, BASE + 5, BASE + 33, 4, 1);
	later.ticks += 2;
	later.switches[1] = 26;
	const struct capture_block *block = between(&earlier, &later, CAPTURE_CONTINUES)->blocks;
	assert_cells(block, "8000-8008 2@1\n8008-8010 1@1\n");
	assert_arcs(block, "8005>8021 4@1\n");
	assert_int_equal(block->contexts[0].switches, 0);
	assert_int_equal(block->contexts[1].switches, 6);
}

/* An interrupt may record an arc in a second slot. */
TEST(arc_in_two_slots_is_subtracted_as_one)
{
	const struct build_block earlier = plain_block();
	struct build_block later = earlier;

	build_block_arc(&later, BASE + 5, BASE + 33, 11);
	later.arcs[0].count = 1001;
	assert_arcs(between(&earlier, &later, CAPTURE_CONTINUES)->blocks, "8005>8021 12\n");
}

TEST(cleared_profile_starts_over)
{
	struct build_block earlier = plain_block(), later = earlier;

	later.epoch = earlier.epoch + 1;
	later.arcs[0].count = 2000;
	assert_arcs(between(&earlier, &later, CAPTURE_CLEARED)->blocks, "8005>8021 2000\n");
}

static void set_acknowledge(struct capture *capture, uint32_t acknowledge)
{
	capture->blocks[0].header.control_acknowledge = acknowledge;
}

static enum capture_course course_of_acknowledges(uint32_t before, uint32_t after)
{
	const struct build_block block = plain_block();
	struct capture *earlier = decode_block(&block, NULL), *later = decode_block(&block, NULL);
	enum capture_course course;

	set_acknowledge(earlier, before);
	set_acknowledge(later, after);
	close_capture_later(capture_since(later, earlier, &course));
	return course;
}

/* An initialized block has acknowledged nothing. */
TEST(forgotten_request_is_a_restart_and_a_new_one_is_not)
{
	assert_int_equal(course_of_acknowledges(0x101, 0), CAPTURE_RESTARTED);
	assert_int_equal(course_of_acknowledges(0x101, 0x202), CAPTURE_CONTINUES);
	assert_int_equal(course_of_acknowledges(0, 0x101), CAPTURE_CONTINUES);
}

TEST(fewer_ticks_are_a_restart)
{
	struct build_block earlier = plain_block(), later = earlier;

	build_block_sample(&earlier, BASE + 8, 1);
	assert_cells(between(&earlier, &later, CAPTURE_RESTARTED)->blocks, "8008-800c 100\n");
}

/* The target has counted for longer since its reset than before, but not everywhere. */
TEST(fewer_samples_of_one_cell_are_a_restart)
{
	struct build_block earlier = plain_block(), later = earlier;

	build_block_sample(&earlier, BASE + 64, 3);
	build_block_sample(&later, BASE + 64, 2);
	build_block_sample(&later, BASE + 8, 500);
	assert_cells(between(&earlier, &later, CAPTURE_RESTARTED)->blocks, "8008-800c 600\n8040-8044 2\n");
}

TEST(fewer_calls_of_one_arc_are_a_restart)
{
	struct build_block earlier = plain_block(), later = earlier;

	later.arcs[0].count = 999;
	build_block_sample(&later, BASE + 8, 500);
	assert_arcs(between(&earlier, &later, CAPTURE_RESTARTED)->blocks, "8005>8021 999\n");
}

/* First, in the middle and last by address. */
TEST(arc_that_is_gone_is_a_restart)
{
	struct build_block later = plain_block();

	build_block_sample(&later, BASE + 8, 500);
	for (unsigned place = 0; place < 3; place++) {
		struct build_block earlier = plain_block();

		build_block_arc(&earlier, BASE + 4 * place, BASE + 3, 1);
		between(&earlier, &later, CAPTURE_RESTARTED);
	}
}

TEST(fewer_losses_are_a_restart)
{
	struct build_block earlier = plain_block(), later = earlier;

	later.arcs_dropped--;
	assert_int_equal(between(&earlier, &later, CAPTURE_RESTARTED)->blocks[0].header.arcs_dropped, 6);
}

TEST(block_of_another_build_is_a_restart)
{
	struct build_block earlier = plain_block(), later = earlier;

	earlier.identity_size = later.identity_size = 20;
	later.identity[19] = 1;
	assert_arcs(between(&earlier, &later, CAPTURE_RESTARTED)->blocks, "8005>8021 1000\n");
}

TEST(block_of_another_core_is_a_restart)
{
	struct build_block earlier = plain_block(), later = earlier;

	later.core = 1;
	between(&earlier, &later, CAPTURE_RESTARTED);
}

TEST(unknown_missed_ticks_stay_unknown)
{
	struct build_block earlier = plain_block(), later = earlier;

	later.ticks_missed = UINT32_MAX;
	assert_int_equal(between(&earlier, &later, CAPTURE_CONTINUES)->blocks[0].header.ticks_missed, CAPTURE_UNKNOWN);
}

TEST(part_of_the_sampling_interrupt_stays_the_same)
{
	struct build_block earlier = plain_block();
	double whole, part;

	earlier.minor = 2;
	earlier.tick_cost = 60;
	earlier.period = 1000;
	struct build_block later = earlier;
	build_block_sample(&later, BASE + 8, 50);
	assert_int_equal(capture_handler_part(&decode_block(&later, NULL)->blocks[0], &whole), CAPTURE_HANDLER_KNOWN);
	assert_int_equal(capture_handler_part(between(&earlier, &later, CAPTURE_CONTINUES)->blocks, &part),
	                 CAPTURE_HANDLER_KNOWN);
	assert_true(part > 0.05 && part == whole);
}

/* The tables of the earlier capture have samples of this many ticks that its header lacks. */
static enum capture_balance balance_with_skew(uint32_t samples_before, uint32_t skew)
{
	const struct build_block later = plain_block();
	struct build_block earlier;
	struct capture *before, *interval;
	enum capture_course course;

	build_block_defaults(&earlier);
	earlier = later;
	memset(earlier.bins, 0, sizeof earlier.bins);
	earlier.ticks = 0;
	build_block_sample(&earlier, BASE + 8, 50);
	earlier.ticks -= samples_before;
	before = decode_block(&earlier, NULL);
	before->blocks[0].has_skew = true;
	before->blocks[0].ticks_after = skew;
	struct capture *after = decode_block(&later, NULL);
	after->blocks[0].has_skew = true;
	interval = close_capture_later(capture_since(after, before, &course));
	assert_int_equal(course, CAPTURE_CONTINUES);
	assert_int_equal(interval->blocks[0].header.ticks, 50 + samples_before);
	return capture_sum_samples(&interval->blocks[0]).balance;
}

TEST(samples_of_the_earlier_skew_may_be_missing)
{
	assert_int_equal(balance_with_skew(0, 0), CAPTURE_ADDS_UP);
	assert_int_equal(balance_with_skew(9, 9), CAPTURE_ADDS_UP_WITH_SKEW);
	assert_int_equal(balance_with_skew(12, 9), CAPTURE_DOES_NOT_ADD_UP);
}

static uint64_t count_of_cells(const struct capture_block *block, uint64_t low)
{
	uint64_t count = 0;

	for (size_t i = 0; i < block->cell_count; i++)
		count += block->cells[i].low == low ? block->cells[i].count : 0;
	return count;
}

static uint64_t count_of_arcs(const struct capture_block *block, const struct capture_arc *arc)
{
	uint64_t count = 0;

	for (size_t i = 0; i < block->arc_count; i++)
		count += capture_compare_arcs(&block->arcs[i], arc) == 0 ? block->arcs[i].count : 0;
	return count;
}

/* The interval and the earlier capture add up to the later one, in each cell and arc. */
static void assert_sum(const struct capture_block *earlier, const struct capture_block *interval,
                       const struct capture_block *later)
{
	for (uint64_t low = BASE; low < END; low++)
		assert_int_equal(count_of_cells(earlier, low) + count_of_cells(interval, low),
		                 count_of_cells(later, low));
	for (size_t i = 0; i < later->arc_count; i++)
		assert_int_equal(count_of_arcs(earlier, &later->arcs[i]) + count_of_arcs(interval, &later->arcs[i]),
		                 count_of_arcs(later, &later->arcs[i]));
	assert_int_equal(earlier->header.ticks + interval->header.ticks, later->header.ticks);
}

static void count_more(struct build_block *block, uint32_t *random)
{
	for (unsigned i = 0; i < 20; i++) {
		*random = *random * 1664525 + 1013904223;
		build_block_sample(block, BASE + (*random >> 24), 1 + (*random >> 8) % 9);
		if (block->arc_count > 0 && *random & 4096)
			block->arcs[(*random >> 16) % block->arc_count].count += 3;
		else
			build_block_arc(block, BASE + (*random >> 20) % 64, BASE + 33, 1 + (*random >> 9) % 5);
	}
}

TEST(earlier_and_interval_add_up_to_the_later_capture)
{
	static struct build_block earlier, later;

	for (uint32_t seed = 1; seed <= 200; seed++) {
		uint32_t random = seed;

		earlier = plain_block();
		count_more(&earlier, &random);
		later = earlier;
		count_more(&later, &random);
		const struct capture *before = decode_block(&earlier, NULL), *after = decode_block(&later, NULL);
		assert_sum(before->blocks, between(&earlier, &later, CAPTURE_CONTINUES)->blocks, after->blocks);
	}
}
