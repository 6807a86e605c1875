/* SPDX-License-Identifier: MIT */
/* Decoding of blocks built by hand, intact and damaged. */
#include "decode.h"
#include "test.h"

#include <bareprof/block.h>
#include <stdlib.h>
#include <string.h>

/* A block with two ranges, samples in three bins and two arcs. */
static struct build_block built;

static void describe(bool big_endian, unsigned address_size)
{
	build_block_defaults(&built);
	built.big_endian = big_endian;
	built.address_size = address_size;
	built.address = address_size == 8 ? 0x9000000000 : 0x20000000;
	built.board = "a board's name!!and more";
	built.ranges[0][0] = 0x8000;
	built.ranges[0][1] = 0x8012; /* the last bin covers 2 bytes */
	built.ranges[1][0] = 0x20001000;
	built.ranges[1][1] = 0x20001010;
	built.range_count = 2;
	build_block_sample(&built, 0x8004, 7);
	build_block_sample(&built, 0x8011, 3);
	build_block_sample(&built, 0x2000100c, 65535);
	build_block_arc(&built, 0x8005, 0x20001001, 42);
	build_block_arc(&built, 0, 0x8001, 0xFFFFFFFF);
	built.outside = 5;
	built.arcs_dropped = 6;
	built.identity_size = 20;
	memset(built.identity, 0xAB, 20);
}

static struct capture *decode_minor(const struct build_block *block, unsigned minor)
{
	return decode_block(block, &(struct patch){BAREPROF_OFFSET_MINOR, 1, minor});
}

static struct capture *decode_described(bool big_endian, unsigned address_size)
{
	describe(big_endian, address_size);
	return decode_minor(&built, BAREPROF_FORMAT_MINOR);
}

TEST(decodes_both_byte_orders_and_address_sizes)
{
	for (unsigned variant = 0; variant < 4; variant++) {
		struct capture *capture = decode_described(variant & 1, variant & 2 ? 8 : 4);

		assert_int_equal(capture->block_count, 1);
		const struct capture_block *block = &capture->blocks[0];
		assert_int_equal(block->header.order.address_size, variant & 2 ? 8 : 4);
		assert_int_equal(block->header.ticks, 7 + 3 + 65535);
		assert_int_equal(block->header.samples_outside, 5);
		assert_int_equal(block->header.arcs_dropped, 6);
		assert_int_equal(block->header.identity_size, 20);
		assert_int_equal(block->header.identity[19], 0xAB);
		assert_string_equal(block->header.board, "a board's name!!");
		assert_int_equal(block->range_count, 2);
	}
}

TEST(cells_end_with_their_range)
{
	const struct capture_block *block = decode_described(false, 4)->blocks;

	assert_cells(block, "8004-8008 7\n8010-8012 3\n2000100c-20001010 65535\n");
	assert_int_equal(block->cells_saturated, 1);
}

TEST(arcs_keep_their_raw_addresses)
{
	const struct capture_block *block = decode_described(true, 8)->blocks;

	assert_arcs(block, "8005>20001001 42\n0>8001 4294967295\n");
	assert_int_equal(block->arcs_saturated, 1);
}

TEST(slot_without_its_key_is_in_flight)
{
	build_block_defaults(&built);
	build_block_arc(&built, 0x8005, 0, 1);
	build_block_arc(&built, 0x8005, 0x9001, 0);
	struct capture *capture = decode_minor(&built, BAREPROF_FORMAT_MINOR);
	assert_int_equal(capture->blocks[0].arcs_in_flight, 1);
	assert_int_equal(capture->blocks[0].arc_count, 0);
}

TEST(sections_of_a_later_minor_are_skipped_and_counted)
{
	describe(false, 4);
	built.extra_kind = 99;
	struct capture *capture = decode_minor(&built, 7);
	assert_int_equal(capture->blocks[0].sections_skipped, 1);
	assert_int_equal(capture->blocks[0].arc_count, 2);
}

TEST(tick_cost_is_found_in_every_layout)
{
	for (unsigned i = 0; i < 8; i++) {
		describe((i & 1) != 0, (i & 2) != 0 ? 8 : 4);
		built.minor = 2;
		built.tick_cost = 0x01020304;
		built.ticks = 0xFFFFFF00;
		if ((i & 4) != 0) {
			built.context_count = 1;
			built.contexts[0] = "idle";
		}
		struct capture *capture = decode_minor(&built, built.minor);
		assert_true(capture->blocks[0].has_tick_cost);
		assert_int_equal(capture->blocks[0].tick_cost, UINT64_C(0x01020304) * 0xFFFFFF00);
	}
}

TEST(older_minor_has_neither_cost_nor_distances)
{
	for (unsigned minor = 0; minor < 4; minor++) {
		describe(false, 4);
		built.minor = minor;
		built.tick_cost = 60;
		struct capture *capture = decode_minor(&built, built.minor);
		assert_int_equal(capture->blocks[0].has_tick_cost, minor >= 2);
		assert_int_equal(capture->blocks[0].distances,
		                 minor >= 2 ? CAPTURE_DISTANCES_FIXED : CAPTURE_DISTANCES_UNKNOWN);
	}
}

/* A header of a later minor version may end before the offset of the cost. */
TEST(header_that_ends_early_has_no_tick_cost)
{
	for (unsigned size = 0xFF; size <= 0x100; size++) {
		describe(false, 4);
		built.minor = 2;
		built.tick_cost = 60;
		struct capture *capture = decode_block(&built, &(struct patch){BAREPROF_OFFSET_HEADER_SIZE, 2, size});
		assert_int_equal(capture->blocks[0].has_tick_cost, size == 0x100);
	}
}

TEST(distances_follow_from_the_dither_and_the_period)
{
	static const struct {
		uint32_t random, period;
		enum capture_distances distances;
	} cases[] = {
	        {0, 10000, CAPTURE_DISTANCES_FIXED}, {0, 0, CAPTURE_DISTANCES_FIXED},
	        {1, 512, CAPTURE_DISTANCES_RANDOM},  {0x80000000, 10000, CAPTURE_DISTANCES_RANDOM},
	        {1, 511, CAPTURE_DISTANCES_FIXED},   {1, 0, CAPTURE_DISTANCES_UNKNOWN},
	};

	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		describe(i % 2 == 0, 4);
		built.minor = 2;
		built.random = cases[i].random;
		built.period = cases[i].period;
		struct capture *capture = decode_minor(&built, built.minor);
		assert_int_equal(capture->blocks[0].distances, cases[i].distances);
	}
}

TEST(cost_of_the_whole_period_is_impossible)
{
	static const struct {
		uint32_t cost, period, ticks;
		enum capture_handler handler;
		double part;
	} cases[] = {
	        {100, 1000, 50, CAPTURE_HANDLER_KNOWN, 0.1},
	        {0, 1000, 50, CAPTURE_HANDLER_UNKNOWN, 0},
	        {1000, 1000, 50, CAPTURE_HANDLER_IMPOSSIBLE, 0},
	        {999, 1000, 0xFFFFFF00, CAPTURE_HANDLER_KNOWN, 0.999},
	        {0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, CAPTURE_HANDLER_IMPOSSIBLE, 0},
	        {0xFFFFFFFF, 1, 1, CAPTURE_HANDLER_IMPOSSIBLE, 0},
	        {100, 0, 50, CAPTURE_HANDLER_UNKNOWN, 0}, /* unknown period */
	        {0xFFFFFFFF, 1, 0, CAPTURE_HANDLER_KNOWN, 0},
	};

	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		double part = -1;

		describe(false, 4);
		built.minor = 2;
		built.tick_cost = cases[i].cost;
		built.period = cases[i].period;
		built.ticks = cases[i].ticks;
		struct capture *capture = decode_minor(&built, built.minor);
		assert_int_equal(capture_handler_part(&capture->blocks[0], &part), cases[i].handler);
		assert_near(part, cases[i].part);
	}
}

/* The described block with one field overwritten. */
static void assert_refused(size_t offset, uint32_t value, unsigned size, const char *words)
{
	describe(false, 4);
	assert_block_refused(&built, &(struct patch){offset, size, value}, words);
}

TEST(malformed_headers_are_refused_with_their_offset)
{
	const size_t bins = BAREPROF_OFFSET_DIRECTORY + BAREPROF_ENTRY_SIZE, arcs = bins + BAREPROF_ENTRY_SIZE;

	assert_refused(BAREPROF_OFFSET_MAGIC, 'X', 1, "no profile block");
	assert_refused(BAREPROF_OFFSET_BYTE_ORDER, 0x0303, 2, "offset 0x8: byte order mark");
	assert_refused(BAREPROF_OFFSET_MAJOR, 2, 1, "block format 2.0");
	assert_refused(BAREPROF_OFFSET_ADDRESS_SIZE, 5, 1, "offset 0xc: address size");
	assert_refused(BAREPROF_OFFSET_DIRECTORY_COUNT, 200, 1, "offset 0xd: 200 directory entries");
	assert_refused(BAREPROF_OFFSET_HEADER_SIZE, 16, 2, "offset 0xe: header of 16 bytes");
	assert_refused(BAREPROF_OFFSET_BLOCK_SIZE, 100, 4, "offset 0x18: block of 100 bytes");
	assert_refused(BAREPROF_OFFSET_BLOCK_SIZE, 0xFFFFFFFF, 4, "truncated at byte");
	assert_refused(BAREPROF_OFFSET_IDENTITY_SIZE, 33, 1, "offset 0x59: identity of 33 bytes");
	assert_refused(bins + BAREPROF_ENTRY_OFFSET, 0xFFFFFFF0, 4, "outside the block");
	assert_refused(bins + BAREPROF_ENTRY_OFFSET, 0, 4, "outside the block");
	assert_refused(bins + BAREPROF_ENTRY_CAPACITY, 0x80000001, 4, "outside the block");
	assert_refused(bins + BAREPROF_ENTRY_USED, 0x7FFFFFFF, 4, "uses");
	assert_refused(bins + BAREPROF_ENTRY_USED, 3, 4, "needs 5 bins, 3 of 3 are left");
	assert_refused(bins + BAREPROF_ENTRY_ITEM_SIZE, 0, 2, "bins of 0 bytes");
	assert_refused(bins + BAREPROF_ENTRY_PARAMETER, 64, 1, "2^64");
	assert_refused(arcs + BAREPROF_ENTRY_ITEM_SIZE, 4, 2, "arcs of 4 bytes");
	assert_refused(arcs + BAREPROF_ENTRY_KIND, BAREPROF_SECTION_BINS, 1, "a second section of kind 2");
	assert_refused(BAREPROF_OFFSET_RANGES + 4, 0x7FFF, 4, "ends before it starts");
	assert_refused(BAREPROF_OFFSET_RANGES + 8, 0x8004, 4, "offset 0xd8: range 0x8004..0x20001010 overlaps another");
}

TEST(unused_directory_entry_is_not_skipped_as_new)
{
	describe(false, 4);
	built.extra_kind = 99;
	size_t kind = BAREPROF_OFFSET_DIRECTORY + 3 * BAREPROF_ENTRY_SIZE + BAREPROF_ENTRY_KIND;
	struct capture *capture = decode_block(&built, &(struct patch){kind, 1, 0});
	assert_int_equal(capture->blocks[0].sections_skipped, 0);
}

TEST(an_empty_range_within_another_is_ignored)
{
	describe(false, 4);
	built.ranges[2][0] = built.ranges[2][1] = 0x8001;
	built.range_count = 3;
	assert_int_equal(decode_block(&built, NULL)->blocks[0].range_count, 2);
}

TEST(more_blocks_than_a_file_may_have_are_refused)
{
	size_t size;

	build_block_defaults(&built);
	uint8_t *bytes = bytes_of_block(&built, &size);
	uint8_t *many = release_later(malloc(4097 * size), free);
	for (size_t i = 0; i < 4097; i++)
		memcpy(many + i * size, bytes, size);
	assert_int_equal(decode_bytes("many", many, 4096 * size)->block_count, 4096);
	assert_bytes_refused(many, 4097 * size, "more than 4096 blocks");
}

TEST(decreasing_ticks_in_the_trailer_are_refused)
{
	size_t size;
	const uint32_t skews[1][2] = {{10, 9}};
	const struct capture_trailer trailer = {.skews = skews, .skew_count = 1};

	build_block_defaults(&built);
	assert_bytes_refused(file_of_blocks(&built, 1, &trailer, &size), size, "record 3 is malformed");
}

TEST(capture_truncated_anywhere_is_refused)
{
	size_t size;

	describe(false, 4);
	uint8_t *bytes = bytes_of_block(&built, &size);
	for (size_t cut = 0; cut < size; cut++) {
		uint8_t *exact = malloc(cut + 1); /* so that the sanitizer sees a read past the end */

		memcpy(exact, bytes, cut);
		exact = realloc(exact, cut > 0 ? cut : 1);
		assert_bytes_refused(exact, cut, "");
		free(exact);
	}
}

/* A capture of two blocks with a trailer. */
static uint8_t *encode_two(size_t *size)
{
	static struct build_block blocks[2];

	describe(false, 4);
	blocks[0] = built;
	describe(true, 8);
	blocks[1] = built;
	const uint32_t skews[2][2] = {{100, 107}, {5, 5}};
	const struct capture_trailer trailer = {
	        .source = "gdb:localhost:1234\033[31m",
	        .time = 1700000000,
	        .has_code_crc = true,
	        .code_crc = 0x12345678,
	        .skews = skews,
	        .skew_count = 2,
	};
	return file_of_blocks(blocks, 2, &trailer, size);
}

TEST(trailer_is_decoded_as_encoded)
{
	size_t size;
	uint8_t *file = encode_two(&size);
	struct capture *capture = decode_bytes("two", file, size);

	assert_int_equal(capture->block_count, 2);
	assert_true(capture->has_trailer);
	assert_string_equal(capture->source, "gdb:localhost:1234?[31m");
	assert_int_equal(capture->time, 1700000000);
	assert_true(capture->has_code_crc);
	assert_int_equal(capture->code_crc, 0x12345678);
	assert_int_equal(capture->blocks[0].ticks_before, 100);
	assert_int_equal(capture->blocks[0].ticks_after, 107);
	assert_true(capture->blocks[1].has_skew);
	assert_true(capture->blocks[1].header.order.big_endian);
}

TEST(checksum_detects_any_flipped_bit)
{
	size_t size;
	uint8_t *file = encode_two(&size);

	for (size_t bit = 0; bit < size * 8; bit++) {
		file[bit / 8] ^= (uint8_t)(1u << bit % 8);
		assert_bytes_refused(file, size, "");
		file[bit / 8] ^= (uint8_t)(1u << bit % 8);
	}
}

TEST(trailer_truncated_anywhere_is_refused)
{
	size_t size, block_size;
	uint8_t *file = encode_two(&size);

	describe(false, 4);
	bytes_of_block(&built, &block_size);
	for (size_t cut = block_size + 1; cut < size; cut++) {
		struct capture *capture = NULL;
		uint8_t *exact = malloc(cut);

		memcpy(exact, file, cut);
		enum status status = capture_decode("cut", exact, cut, &capture, &failure);
		/* Two whole blocks without a trailer are a valid dump. */
		if (status == STATUS_OK)
			assert_int_equal(capture->block_count, 2);
		if (status == STATUS_OK)
			assert_false(capture->has_trailer);
		capture_close(capture);
		free(exact);
	}
}
