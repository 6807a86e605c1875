/* SPDX-License-Identifier: MIT */
/* Merged captures, written and read again, and malformed ones. */
#include "decode.h"
#include "test.h"

#include <bareprof/block.h>

#include <string.h>

static const struct capture_order orders[4] = {{false, 4}, {true, 4}, {false, 8}, {true, 8}};

/* A block with something of every kind, in the memory of the test. */
struct fixture {
	struct capture capture;
	struct capture_block block;
	struct capture_cell cells[4];
	struct capture_arc arcs[2];
	struct capture_context contexts[2];
	char path[16];
};

static void make(struct fixture *fixture, const struct capture_order *order)
{
	*fixture = (struct fixture){
	        .path = "sum.bprof",
	        .cells = {{0x8000, 0x8003, UINT64_MAX, 1, false},
	                  {0x8002, 0x8005, 1, CAPTURE_NO_CONTEXT, false},
	                  {0x8002, 0x9000, 0x123456789A, CAPTURE_NO_CONTEXT, true},
	                  {0xFFFFFFF0, 0x100000000, 1, 0, false}}, /* ends at 2^32 */
	        .arcs = {{0x8001, 0x8003, 0x123456789A, 1}, {0xFFFFFFF9, 0x8003, 1, 77}},
	        .contexts = {{"idle", UINT64_C(1) << 40}, {"0123456789abcdef", CAPTURE_UNKNOWN}},
	};
	fixture->block = (struct capture_block){
	        .header = {.order = *order,
	                   .block_address = 0x20000008,
	                   .state = BAREPROF_STATE_STOPPED,
	                   .clock_hz = 1000,
	                   .period = 10,
	                   .epoch = 3,
	                   .reset_count = UINT64_C(1) << 33,
	                   .ticks = UINT64_C(1) << 34,
	                   .ticks_missed = UINT32_MAX,
	                   .samples_outside = UINT64_C(1) << 35,
	                   .samples_table_full = 5,
	                   .arcs_dropped = UINT64_C(1) << 36,
	                   .saturated = UINT64_C(1) << 37,
	                   .identity = {1, 2, 3},
	                   .identity_kind = BAREPROF_IDENTITY_BUILD_ID,
	                   .identity_size = 3,
	                   .core = 200,
	                   .board = "0123456789abcdef"},
	        .ranges = {{0x8000, 0x9000}, {0xA000, 0xA004}},
	        .range_count = 2,
	        .bin_size = 3,
	        .granule_size = 16,
	        .coarse_size = 4096,
	        .granule_capacity = 99,
	        .cells = fixture->cells,
	        .cell_count = 4,
	        .arcs = fixture->arcs,
	        .arc_count = 2,
	        .arc_capacity = 98,
	        .has_contexts = true,
	        .contexts = fixture->contexts,
	        .context_count = 2,
	        .arcs_in_flight = 6,
	        .cells_saturated = 7,
	        .arcs_saturated = 8,
	        .sections_skipped = 9,
	        .has_skew = true,
	        .ticks_before = 10,
	        .ticks_after = 10 + (UINT64_C(1) << 38),
	        .has_tick_cost = true,
	        .tick_cost = UINT64_C(1) << 39,
	        .distances = CAPTURE_DISTANCES_FIXED,
	        .merged_count = 1000,
	        .is_contradictory = true,
	        .is_gmon = true,
	};
	fixture->capture = (struct capture){.path = fixture->path, .blocks = &fixture->block, .block_count = 1};
}

TEST(written_sum_reads_the_same_in_every_order)
{
	for (unsigned i = 0; i < 4; i++) {
		struct fixture fixture;

		make(&fixture, &orders[i]);
		fixture.capture.has_code_crc = true;
		fixture.capture.code_crc = 0x12345678;
		const struct capture *again = write_and_decode(&fixture.capture);
		assert_int_equal(again->block_count, 1);
		assert_same_block(&fixture.block, &again->blocks[0]);
		assert_true(again->has_code_crc);
		assert_int_equal(again->code_crc, 0x12345678);
	}
}

TEST(empty_block_is_written)
{
	for (unsigned i = 0; i < 4; i++) {
		struct capture_block block = {.header = {.order = orders[i], .ticks_missed = CAPTURE_UNKNOWN},
		                              .merged_count = 1};
		char path[] = "sum.bprof";
		const struct capture capture = {.path = path, .blocks = &block, .block_count = 1};

		assert_same_block(&block, write_and_decode(&capture)->blocks);
	}
}

/* A decoder of format 1.0 knows neither ranges of code nor totals: it sees saturated counters and unknown sections. */
TEST(older_decoder_sees_saturated_counters_and_unknown_sections)
{
	struct fixture fixture;
	size_t size;

	make(&fixture, &orders[0]);
	uint8_t *file = written(&fixture.capture, &size);
	const unsigned full[] = {BAREPROF_OFFSET_RESET_COUNT, BAREPROF_OFFSET_TICKS, BAREPROF_OFFSET_SAMPLES_OUTSIDE,
	                         BAREPROF_OFFSET_ARCS_DROPPED, BAREPROF_OFFSET_SATURATED};
	for (unsigned i = 0; i < sizeof full / sizeof *full; i++)
		assert_int_equal(capture_u32(&orders[0], file + full[i]), UINT32_MAX);
	assert_int_equal(capture_u32(&orders[0], file + BAREPROF_OFFSET_TICKS_MISSED), UINT32_MAX - 1);
	assert_int_equal(capture_u32(&orders[0], file + BAREPROF_OFFSET_SAMPLES_TABLE_FULL), 5);
	assert_int_equal(file[BAREPROF_OFFSET_MAJOR], 1);
	assert_int_equal(file[BAREPROF_OFFSET_MINOR], 1);
	unsigned later = 0;
	for (unsigned i = 0; i < file[BAREPROF_OFFSET_DIRECTORY_COUNT]; i++) {
		const uint8_t *entry = file + BAREPROF_OFFSET_DIRECTORY + i * BAREPROF_ENTRY_SIZE;

		assert_int_not_equal(entry[BAREPROF_ENTRY_KIND], BAREPROF_SECTION_BINS);
		assert_int_not_equal(entry[BAREPROF_ENTRY_KIND], BAREPROF_SECTION_GRANULES);
		later += entry[BAREPROF_ENTRY_KIND] > BAREPROF_SECTION_CONTEXTS;
	}
	assert_int_equal(later, 2);
}

/* The directory entry of the section of a kind, in the output of written(). */
static uint8_t *entry_of(uint8_t *file, unsigned kind)
{
	for (unsigned i = 0; i < file[BAREPROF_OFFSET_DIRECTORY_COUNT]; i++) {
		uint8_t *entry = file + BAREPROF_OFFSET_DIRECTORY + i * BAREPROF_ENTRY_SIZE;

		if (entry[BAREPROF_ENTRY_KIND] == kind)
			return entry;
	}
	fail_msg("no section of kind %u", kind);
	return NULL;
}

static uint8_t *item_of(uint8_t *file, unsigned kind, unsigned index)
{
	const uint8_t *entry = entry_of(file, kind);

	return file + capture_u32(&orders[0], entry + BAREPROF_ENTRY_OFFSET) +
	       (size_t)index * capture_u16(&orders[0], entry + BAREPROF_ENTRY_ITEM_SIZE);
}

/* The size without the trailer, whose checksum would fail first. */
static uint32_t block_size(const uint8_t *file)
{
	return capture_u32(&orders[0], file + BAREPROF_OFFSET_BLOCK_SIZE);
}

static uint8_t *valid_file(void)
{
	struct fixture fixture;
	size_t size;

	make(&fixture, &orders[0]);
	return written(&fixture.capture, &size);
}

TEST(malformed_sections_are_refused)
{
	static const struct {
		unsigned kind;
		int item; /* below 0: the section's entry */
		unsigned offset, size, value;
		const char *words;
	} cases[] = {
	        {BAREPROF_SECTION_TOTALS, -1, BAREPROF_ENTRY_USED, 1, 18, "18 totals of 8 bytes"},
	        {BAREPROF_SECTION_TOTALS, -1, BAREPROF_ENTRY_ITEM_SIZE, 1, 7, "20 totals of 7 bytes"},
	        {BAREPROF_SECTION_STRETCHES, -1, BAREPROF_ENTRY_ITEM_SIZE, 1, 23,
	         "code ranges of 23 bytes, expected at least 24"},
	        {BAREPROF_SECTION_CONTEXTS, -1, BAREPROF_ENTRY_ITEM_SIZE, 1, 23,
	         "contexts of 23 bytes, expected at least 24"},
	        {BAREPROF_SECTION_STRETCHES, 1, 4, 4, 0, "samples on 0x0 bytes from 0x8002 on, where no code can be"},
	        {BAREPROF_SECTION_STRETCHES, 1, 4, 4, 0xFF, "samples on 0xffffffff bytes from 0x8002 on"},
	        {BAREPROF_SECTION_TOTALS, BAREPROF_TOTAL_GRANULE_SIZE, 0, 1, 3, "granules of 3,"},
	        {BAREPROF_SECTION_TOTALS, BAREPROF_TOTAL_BIN_SIZE, 4, 1, 1, "bins of 4294967299,"},
	        {BAREPROF_SECTION_TOTALS, BAREPROF_TOTAL_COARSE_SIZE, 4, 1, 1, "coarse bins of 4294971392"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint8_t *file = valid_file();
		uint8_t *at = cases[i].item < 0 ? entry_of(file, cases[i].kind)
		                                : item_of(file, cases[i].kind, (unsigned)cases[i].item);

		memset(at + cases[i].offset, (int)cases[i].value, cases[i].size);
		assert_bytes_refused(file, block_size(file), cases[i].words);
	}
}

/* Sums of earlier versions, of blocks without tick cost and distances, and of a probe, which interrupts nothing and has
 * never sampled at fixed distances. */
TEST(distances_and_cost_of_sums_follow_from_their_totals)
{
	static const struct {
		uint8_t totals, flags;
		bool has_tick_cost;
		enum capture_distances distances;
	} cases[] = {
	        {19, 0, false, CAPTURE_DISTANCES_UNKNOWN},
	        {19, BAREPROF_TOTAL_IS_SAMPLED, true, CAPTURE_DISTANCES_RANDOM},
	        {20, BAREPROF_TOTAL_IS_FIXED | BAREPROF_TOTAL_IS_DITHERED, true, CAPTURE_DISTANCES_FIXED},
	};

	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint8_t *file = valid_file();

		entry_of(file, BAREPROF_SECTION_TOTALS)[BAREPROF_ENTRY_USED] = cases[i].totals;
		memset(item_of(file, BAREPROF_SECTION_TOTALS, BAREPROF_TOTAL_BLOCKS), 0, 16);
		item_of(file, BAREPROF_SECTION_TOTALS, BAREPROF_TOTAL_FLAGS)[0] = cases[i].flags;
		const struct capture_block *block = decode_bytes("sum.bprof", file, block_size(file))->blocks;
		assert_int_equal(block->has_tick_cost, cases[i].has_tick_cost);
		assert_int_equal(block->tick_cost, cases[i].totals > 19 ? UINT64_C(1) << 39 : 0);
		assert_int_equal(block->distances, cases[i].distances);
	}
}

TEST(sum_truncated_anywhere_is_refused)
{
	struct fixture fixture;
	size_t size;

	make(&fixture, &orders[3]);
	uint8_t *file = written(&fixture.capture, &size);
	for (size_t cut = 0; cut < size; cut++)
		assert_bytes_refused(file, cut, "");
}
