/* SPDX-License-Identifier: MIT */
/* Slices of stacks and their totals, as the recorder leaves them and as it never would. */
#include "decode.h"
#include "test.h"

#include <string.h>

static struct build_block empty_block(bool big_endian, unsigned address_size)
{
	static struct build_block block;

	build_block_defaults(&block);
	block.big_endian = big_endian;
	block.address_size = address_size;
	block.ticks = 100;
	block.outside = 100;
	block.slice_room = 12;
	return block;
}

static struct build_block plain_block(void)
{
	struct build_block block = empty_block(false, 4);

	build_block_slice(&block, 9, 0x8000, 4);
	build_block_slice(&block, 7, 0x9000, 12);
	block.stack_totals[0] = 25;
	return block;
}

static const struct capture_block *decode(const struct build_block *block)
{
	return decode_block(block, NULL)->blocks;
}

/* The offset of the entry of the section of a kind, from 9 on. */
static size_t entry_of(unsigned kind)
{
	return 0x90 + 16 * (4 + (size_t)kind - 9);
}

TEST(slices_are_sorted_and_share_the_ticks)
{
	struct build_block block = plain_block();

	block.stack_totals[1] = 3;
	const struct capture_block *decoded = decode(&block);
	assert_slices(decoded, "7 9000 9001 9002 9003 0 000102030405060708090a0b*12.5000\n"
	                       "9 8000 8001 8002 8003 0 00010203*12.5000\n");
	assert_int_equal(decoded->slice_capacity, 2);
	assert_int_equal(decoded->slice_bytes, 12);
	assert_true(decoded->has_stack_totals);
	assert_int_equal(decoded->stack_totals.offered, 25);
	assert_int_equal(decoded->stack_totals.bad, 3);
	assert_int_equal(decoded->slices_in_flight, 0);
	assert_int_equal(decoded->sections_skipped, 0);
}

TEST(slices_are_read_in_every_order_and_width)
{
	for (unsigned i = 0; i < 4; i++) {
		struct build_block block = empty_block(i & 1, i & 2 ? 8 : 4);
		struct build_slice *slice = build_block_slice(&block, 0x12345678, 0x87654320, 3);

		slice->context = 7;
		slice->entry = 0xFFFFFFED;
		slice->flags = 7;
		assert_slices(decode(&block), "305419896 87654320 87654321 87654322 87654323 ffffffed 000102*1.0000@7"
		                              " bad whole withheld\n");
	}
}

TEST(addresses_of_slices_have_64_bits)
{
	struct build_block block = empty_block(true, 8);

	build_block_slice(&block, 1, 0x123456789ABCDEF0, 0);
	assert_slices(decode(&block), "1 123456789abcdef0 123456789abcdef1 123456789abcdef2 123456789abcdef3 0 "
	                              "*1.0000\n");
}

TEST(torn_slices_are_counted_and_unused_ones_are_not)
{
	struct build_block block = plain_block();

	build_block_slice(&block, 0, 0xA000, 4)->number_again = 3;
	build_block_slice(&block, 4, 0xA000, 4)->number_again = 0;
	build_block_slice(&block, 5, 0xA000, 4)->number_again = 6;
	build_block_slice(&block, 0, 0xA000, 4);
	const struct capture_block *decoded = decode(&block);
	assert_int_equal(decoded->slice_count, 2);
	assert_int_equal(decoded->slices_in_flight, 3);
	assert_int_equal(decoded->slices[0].weight, 65536 * 25 / 2);
}

TEST(slices_that_contradict_themselves_count_as_in_flight)
{
	struct build_block block = plain_block();

	build_block_slice(&block, 10, 0xA000, 12)->bytes = 13;
	build_block_slice(&block, 9, 0xA000, 4); /* the first of a number stays */
	const struct capture_block *decoded = decode(&block);
	assert_int_equal(decoded->slice_count, 2);
	assert_int_equal(decoded->slices[1].pc, 0x8000);
	assert_int_equal(decoded->slices_in_flight, 2);
}

/* The totals may have been read before the newest slices were taken. */
TEST(slices_beyond_those_offered_weigh_a_tick_each)
{
	struct build_block block = plain_block();

	block.stack_totals[0] = 1;
	assert_int_equal(decode(&block)->slices[0].weight, 65536);
}

/* 35 words of the stack. The first, the 32nd and the last were kept. */
TEST(filtered_slices_have_bits_and_the_words_that_were_kept)
{
	static const char dropped[] = "--------";
	char expected[400] = "1 8000 8001 8002 8003 0 04050607";

	for (unsigned big_endian = 0; big_endian < 2; big_endian++) {
		struct build_block block = empty_block(big_endian, 4);

		block.slice_room = 20;
		block.slices_filtered = true;
		struct build_slice *slice = build_block_slice(&block, 1, 0x8000, 20);
		slice->bytes = 35 * 4;
		slice->stack[big_endian ? 3 : 0] = 0x01;
		slice->stack[big_endian ? 0 : 3] = 0x80;
		slice->stack[1] = slice->stack[2] = 0;
		/* Bits of words that the slice does not have mean nothing. */
		memset(slice->stack + 12, 0xFF, 4);
		slice->stack[big_endian ? 15 : 12] = 0xFC;
		expected[strlen("1 8000 8001 8002 8003 0 04050607")] = '\0';
		for (unsigned i = 1; i < 31; i++)
			strcat(expected, dropped);
		strcat(expected, "08090a0b----------------10111213*1.0000\n");
		const struct capture_block *decoded = decode(&block);
		assert_true(decoded->slices_filtered);
		assert_slices(decoded, expected);
	}
}

TEST(filtered_slices_without_room_for_their_words_are_dropped)
{
	static const struct {
		uint32_t bits;
		unsigned bytes;
	} cases[] = {{0xFF, 32}, {0, 33 * 4 + 1}, {0, 97 * 4}};

	for (unsigned i = 0; i < 3; i++) {
		struct build_block block = empty_block(false, 4);
		struct build_slice *slice = build_block_slice(&block, 1, 0x8000, 12);

		block.slices_filtered = true;
		slice->bytes = cases[i].bytes;
		memset(slice->stack, 0, 12);
		slice->stack[0] = (uint8_t)cases[i].bits;
		const struct capture_block *decoded = decode(&block);
		assert_int_equal(decoded->slice_count, 0);
		assert_int_equal(decoded->slices_in_flight, 1);
	}
}

TEST(sections_of_impossible_sizes_are_refused)
{
	const struct build_block block = plain_block();
	const struct patch small = {entry_of(9) + 2, 2, 35}, totals = {entry_of(10) + 2, 2, 3};

	assert_block_refused(&block, &small, "slices of 35 bytes, expected 36 to 32804");
	assert_block_refused(&block, &totals, "totals of stacks of 3 bytes");
}

/* An item is 0 in a block of a recorder that does not know it. */
TEST(totals_may_have_fewer_items)
{
	struct build_block block = plain_block();
	const struct patch fewer = {entry_of(10) + 12, 4, 3};

	for (unsigned i = 1; i < 8; i++)
		block.stack_totals[i] = i;
	const struct capture_stack_totals *totals = &decode_block(&block, &fewer)->blocks->stack_totals;
	assert_int_equal(totals->timed, 2);
	assert_int_equal(totals->cost, 0);
	totals = &decode(&block)->stack_totals;
	assert_int_equal(totals->cost, UINT64_C(4) << 32 | 3);
	assert_int_equal(totals->tree_full, 6);
	assert_int_equal(totals->table_crc, 7);
	assert_int_equal(totals->overruns, 0);
	block.minor = 3;
	block.stack_totals[13] = 5;
	assert_int_equal(decode(&block)->stack_totals.overruns, 5);
}

/* Ticks that copy a stack take longer than the least, which the header states. */
TEST(cost_of_ticks_has_a_fixed_and_a_measured_part)
{
	struct build_block block = plain_block();

	block.minor = 2;
	block.tick_cost = 60;
	assert_int_equal(decode(&block)->tick_cost, 6000);
	block.stack_totals[2] = 10;
	block.stack_totals[3] = 1234;
	assert_int_equal(decode(&block)->tick_cost, 6000 + 12340);
	block.tick_cost = 0;
	assert_true(decode(&block)->has_tick_cost);
	block.stack_totals[4] = UINT32_MAX;
	block.stack_totals[2] = 1;
	assert_int_equal(decode(&block)->tick_cost, UINT64_C(1) << 63);
}
