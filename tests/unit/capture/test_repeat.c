/* SPDX-License-Identifier: MIT */
/* Captures that repeat another one, and captures of different runs. */
#include "decode.h"
#include "test.h"

/* The counts of one run. */
struct run {
	unsigned outside, sampled, place, called, callee;
};

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

TEST(only_equal_counts_of_the_same_code_are_a_repeat)
{
	static const struct run runs[] = {
	        {3, 5, 0x08, 7, 0x21}, {4, 5, 0x08, 7, 0x21}, {2, 6, 0x08, 7, 0x21},
	        {3, 5, 0x08, 8, 0x21}, {3, 5, 0x10, 7, 0x21}, {3, 5, 0x08, 7, 0x31},
	};

	for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
		assert_int_equal(capture_is_repeat(capture_of(&runs[i]), capture_of(&runs[0])), i == 0);
}
