/* SPDX-License-Identifier: MIT */
/* The form of merged captures, written and read again, and refused files. */
#include "capture/capture.h"
#include "test.h"

#include <bareprof/block.h>

#include <stdlib.h>
#include <string.h>

static const struct capture_order orders[4] = {{false, 4}, {true, 4}, {false, 8}, {true, 8}};

/* A block with a bit of everything, in the test's own memory. */
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
	                  {0xFFFFFFF0, 0x100000000, 1, 0, false}}, /* the last of 32 bits */
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

static uint8_t *write(const struct capture *capture, size_t *size)
{
	uint8_t *file = NULL;
	struct error error;
	assert_int_equal(capture_write(capture, &file, size, &error), STATUS_OK);
	return file;
}

static struct capture *read(const uint8_t *file, size_t size)
{
	struct capture *capture = NULL;
	struct error error = {.message = ""};
	if (capture_decode("again.bprof", file, size, &capture, &error) != STATUS_OK)
		fail_msg("%s", error.message);
	return capture;
}

static void assert_same_header(const struct capture_header *left, const struct capture_header *right)
{
	assert_int_equal(left->order.big_endian, right->order.big_endian);
	assert_int_equal(left->order.address_size, right->order.address_size);
	assert_int_equal(left->block_address, right->block_address);
	assert_int_equal(left->state, right->state);
	assert_int_equal(left->clock_hz, right->clock_hz);
	assert_int_equal(left->period, right->period);
	assert_int_equal(left->epoch, right->epoch);
	assert_int_equal(left->reset_count, right->reset_count);
	assert_int_equal(left->ticks, right->ticks);
	assert_int_equal(left->ticks_missed, right->ticks_missed);
	assert_int_equal(left->samples_outside, right->samples_outside);
	assert_int_equal(left->samples_table_full, right->samples_table_full);
	assert_int_equal(left->arcs_dropped, right->arcs_dropped);
	assert_int_equal(left->saturated, right->saturated);
	assert_int_equal(left->identity_kind, right->identity_kind);
	assert_int_equal(left->identity_size, right->identity_size);
	assert_memory_equal(left->identity, right->identity, sizeof left->identity);
	assert_int_equal(left->core, right->core);
	assert_string_equal(left->board, right->board);
}

static void assert_same_tables(const struct capture_block *left, const struct capture_block *right)
{
	assert_int_equal(left->cell_count, right->cell_count);
	for (size_t i = 0; i < left->cell_count; i++) {
		const struct capture_cell *a = &left->cells[i], *b = &right->cells[i];
		assert_true(a->low == b->low && a->high == b->high && a->count == b->count &&
		            a->context == b->context && a->coarse == b->coarse);
	}
	assert_int_equal(left->arc_count, right->arc_count);
	for (size_t i = 0; i < left->arc_count; i++) {
		const struct capture_arc *a = &left->arcs[i], *b = &right->arcs[i];
		assert_true(a->caller == b->caller && a->callee == b->callee && a->count == b->count &&
		            a->context == b->context);
	}
	assert_int_equal(left->has_contexts, right->has_contexts);
	assert_int_equal(left->context_count, right->context_count);
	for (uint32_t i = 0; i < left->context_count; i++) {
		assert_string_equal(capture_context_name(left, i), capture_context_name(right, i));
		assert_int_equal(left->contexts[i].switches, right->contexts[i].switches);
	}
}

static void assert_same_block(const struct capture_block *left, const struct capture_block *right)
{
	assert_same_header(&left->header, &right->header);
	assert_same_tables(left, right);
	assert_int_equal(left->range_count, right->range_count);
	for (size_t i = 0; i < left->range_count; i++)
		assert_true(left->ranges[i].start == right->ranges[i].start &&
		            left->ranges[i].end == right->ranges[i].end);
	assert_int_equal(left->bin_size, right->bin_size);
	assert_int_equal(left->granule_size, right->granule_size);
	assert_int_equal(left->coarse_size, right->coarse_size);
	assert_int_equal(left->granule_capacity, right->granule_capacity);
	assert_int_equal(left->arc_capacity, right->arc_capacity);
	assert_int_equal(left->arcs_in_flight, right->arcs_in_flight);
	assert_int_equal(left->cells_saturated, right->cells_saturated);
	assert_int_equal(left->arcs_saturated, right->arcs_saturated);
	assert_int_equal(left->sections_skipped, right->sections_skipped);
	assert_int_equal(left->has_skew, right->has_skew);
	assert_int_equal(left->ticks_after - left->ticks_before, right->ticks_after - right->ticks_before);
	assert_int_equal(left->has_tick_cost, right->has_tick_cost);
	assert_int_equal(left->tick_cost, right->tick_cost);
	assert_int_equal(left->distances, right->distances);
	assert_int_equal(left->merged_count, right->merged_count);
	assert_int_equal(left->is_contradictory, right->is_contradictory);
	assert_int_equal(left->is_gmon, right->is_gmon);
}

TEST(what_is_written_is_read_in_every_order)
{
	for (unsigned i = 0; i < 4; i++) {
		struct fixture fixture;
		size_t size;
		make(&fixture, &orders[i]);
		fixture.capture.has_code_hash = true;
		fixture.capture.code_hash = 0x12345678;
		uint8_t *file = write(&fixture.capture, &size);
		struct capture *again = read(file, size);
		assert_int_equal(again->block_count, 1);
		assert_same_block(&fixture.block, &again->blocks[0]);
		assert_true(again->has_code_hash);
		assert_int_equal(again->code_hash, 0x12345678);
		free(file);
		capture_close(again);
	}
}

TEST(an_empty_block_is_written)
{
	for (unsigned i = 0; i < 4; i++) {
		struct capture_block block = {.header = {.order = orders[i], .ticks_missed = CAPTURE_UNKNOWN},
		                              .merged_count = 1};
		char path[] = "sum.bprof";
		const struct capture capture = {.path = path, .blocks = &block, .block_count = 1};
		size_t size;
		uint8_t *file = write(&capture, &size);
		struct capture *again = read(file, size);
		assert_same_block(&block, &again->blocks[0]);
		free(file);
		capture_close(again);
	}
}

/* A decoder of format 1.0 knows neither ranges of code nor totals: it must see full counters and sections to skip. */
TEST(an_older_decoder_sees_full_counters_and_sections_to_skip)
{
	struct fixture fixture;
	size_t size;
	make(&fixture, &orders[0]);
	uint8_t *file = write(&fixture.capture, &size);
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
	free(file);
}

/* Where the section of a kind has its directory entry, in what write() makes. */
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

/* Without the trailer, whose checksum would fail first. */
static void assert_refused(uint8_t *file, const char *words)
{
	struct capture *capture = NULL;
	struct error error = {.message = ""};
	uint32_t size = capture_u32(&orders[0], file + BAREPROF_OFFSET_BLOCK_SIZE);
	assert_int_equal(capture_decode("bad.bprof", file, size, &capture, &error), STATUS_FAILED);
	if (strstr(error.message, words) == NULL)
		fail_msg("'%s' does not contain '%s'", error.message, words);
	free(file);
}

static uint8_t *sound_file(void)
{
	struct fixture fixture;
	size_t size;
	make(&fixture, &orders[0]);
	return write(&fixture.capture, &size);
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
		uint8_t *file = sound_file();
		uint8_t *at = cases[i].item < 0 ? entry_of(file, cases[i].kind)
		                                : item_of(file, cases[i].kind, (unsigned)cases[i].item);
		memset(at + cases[i].offset, (int)cases[i].value, cases[i].size);
		assert_refused(file, cases[i].words);
	}
}

/* Sums of earlier versions, and of blocks without tick cost and distances. */
TEST(a_sum_without_cost_or_distances_is_read)
{
	static const uint64_t flags[] = {0, BAREPROF_TOTAL_IS_SAMPLED};
	for (unsigned i = 0; i < 2; i++) {
		struct capture *capture = NULL;
		struct error error = {.message = ""};
		uint8_t *file = sound_file();
		uint32_t size = capture_u32(&orders[0], file + BAREPROF_OFFSET_BLOCK_SIZE);
		entry_of(file, BAREPROF_SECTION_TOTALS)[BAREPROF_ENTRY_USED] = 19;
		memset(item_of(file, BAREPROF_SECTION_TOTALS, BAREPROF_TOTAL_BLOCKS), 0, 16);
		item_of(file, BAREPROF_SECTION_TOTALS, BAREPROF_TOTAL_FLAGS)[0] = (uint8_t)flags[i];
		assert_int_equal(capture_decode("older.bprof", file, size, &capture, &error), STATUS_OK);
		/* A probe interrupts nothing, and its samples never came at fixed distances. */
		assert_int_equal(capture->blocks[0].has_tick_cost, i == 1);
		assert_int_equal(capture->blocks[0].tick_cost, 0);
		assert_int_equal(capture->blocks[0].distances,
		                 i == 1 ? CAPTURE_DISTANCES_RANDOM : CAPTURE_DISTANCES_UNKNOWN);
		capture_close(capture);
		free(file);
	}
}

TEST(contradictory_distances_of_a_sum_are_fixed)
{
	struct capture *capture = NULL;
	struct error error = {.message = ""};
	uint8_t *file = sound_file();
	uint32_t size = capture_u32(&orders[0], file + BAREPROF_OFFSET_BLOCK_SIZE);
	memset(item_of(file, BAREPROF_SECTION_TOTALS, BAREPROF_TOTAL_BLOCKS), 0, 8);
	item_of(file, BAREPROF_SECTION_TOTALS, BAREPROF_TOTAL_FLAGS)[0] =
	        BAREPROF_TOTAL_IS_FIXED | BAREPROF_TOTAL_IS_DITHERED;
	assert_int_equal(capture_decode("two.bprof", file, size, &capture, &error), STATUS_OK);
	assert_int_equal(capture->blocks[0].distances, CAPTURE_DISTANCES_FIXED);
	capture_close(capture);
	free(file);
}

TEST(a_sum_cut_at_any_byte_is_refused)
{
	struct fixture fixture;
	size_t size;
	make(&fixture, &orders[3]);
	uint8_t *file = write(&fixture.capture, &size);
	for (size_t cut = 0; cut < size; cut++) {
		struct capture *capture = NULL;
		struct error error = {.message = ""};
		assert_int_equal(capture_decode("cut.bprof", file, cut, &capture, &error), STATUS_FAILED);
		capture_close(capture);
	}
	free(file);
}
