/* SPDX-License-Identifier: MIT */
/* Captures that repeat another one, and captures of different runs. */
#include "decode.h"
#include "test.h"

#include <stdlib.h>

/* The counts of one run. */
struct run {
	unsigned outside, sampled, place, called, callee;
};

static const struct run usual = {.outside = 3, .sampled = 5, .place = 0x08, .called = 7, .callee = 0x21};

static struct capture *capture_of(const struct run *run)
{
	static struct build_block block;
	build_block_defaults(&block);
	block.ranges[0][1] = 0x100;
	block.range_count = 1;
	block.granule_capacity = 8;
	block.granule_shift = 3;
	block.bin_shift = 7;
	block.bin_bytes = 4;
	build_block_granule(&block, run->place, run->sampled, 0);
	build_block_arc_of(&block, 0x11, run->callee, run->called, 0);
	block.outside = run->outside;
	return decode_block(&block, NULL);
}

static bool is_repeat(struct run run)
{
	struct capture *capture = capture_of(&run), *other = capture_of(&usual);
	bool answer = capture_is_repeat(capture, other);
	capture_close(other);
	capture_close(capture);
	return answer;
}

TEST(what_counted_the_same_is_a_repeat)
{
	assert_true(is_repeat(usual));
}

TEST(one_count_makes_another_run)
{
	struct run run = usual;
	run.outside++;
	assert_false(is_repeat(run));
	run = usual;
	run.outside--;
	run.sampled++;
	assert_false(is_repeat(run));
	run = usual;
	run.called++;
	assert_false(is_repeat(run));
}

TEST(other_code_makes_another_run)
{
	struct run run = usual;
	run.place = 0x10;
	assert_false(is_repeat(run));
	run = usual;
	run.callee = 0x31;
	assert_false(is_repeat(run));
}
