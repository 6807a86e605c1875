/* SPDX-License-Identifier: MIT */
/* Decoding of granules, coarse bins and contexts, intact and damaged. */
#include "decode.h"
#include "test.h"

#include <bareprof/block.h>
#include <string.h>

/* Places in the directory that build_block.h writes. */
#define ENTRY(index) (BAREPROF_OFFSET_DIRECTORY + (index)*BAREPROF_ENTRY_SIZE)
#define GRANULES     ENTRY(1)
#define COARSE       ENTRY(3)
#define CONTEXTS     ENTRY(4)

static struct build_block built;

/* Granules of 8 bytes, and two samples in coarse bins; with contexts "idle" and a name of 16 bytes, whose switches are
 * not counted. */
static struct build_block *describe(bool big_endian, unsigned address_size, bool with_contexts)
{
	build_block_defaults(&built);
	built.big_endian = big_endian;
	built.address_size = address_size;
	built.ranges[0][0] = 0x8004;
	built.ranges[0][1] = 0x8104;
	built.range_count = 1;
	built.granule_capacity = 8;
	built.granule_shift = 3;
	built.bin_shift = 7;
	built.bin_bytes = 4;
	if (with_contexts) {
		built.contexts[built.context_count++] = "idle";
		built.contexts[built.context_count++] = "sixteen letters!";
	}
	build_block_granule(&built, 0x8100, 5, 1);
	build_block_granule(&built, 0x8000, 7, 0);
	build_block_granule(&built, 0x8100, 9, 77);
	build_block_granule(&built, BAREPROF_PC_SECURE, 0xFFFFFF00, 1);
	build_block_sample(&built, 0x8084, 2);
	build_block_arc_of(&built, 0x8005, 0x8081, 3, 1);
	return &built;
}

TEST(granules_are_cells_of_their_contexts)
{
	for (unsigned variant = 0; variant < 4; variant++) {
		const struct capture_block *block =
		        decode_block(describe(variant & 1, variant & 2 ? 8 : 4, true), NULL)->blocks;

		assert_cells(block, "8000-8008 7@0\n8084-8104 2 coarse\n8100-8108 5@1\n8100-8108 9@77\n"
		                    "fefffff8-ff000000 4294967040@1\n");
		assert_int_equal(block->granule_size, 8);
		assert_int_equal(block->granule_capacity, 8);
		assert_int_equal(block->coarse_size, 128);
		assert_int_equal(block->bin_size, 0);
		assert_int_equal(block->cells_saturated, 1);
		assert_int_equal(block->sections_skipped, 0);
	}
}

TEST(arcs_keep_contexts_and_contexts_keep_names)
{
	const struct capture_block *block = decode_block(describe(true, 8, true), NULL)->blocks;

	assert_true(block->has_contexts);
	assert_int_equal(block->context_count, 2);
	assert_arcs(block, "8005>8081 3@1\n");
	assert_string_equal(capture_context_name(block, 0), "idle");
	assert_string_equal(capture_context_name(block, 1), "sixteen letters!");
	assert_string_equal(capture_context_name(block, 2), "");
	assert_string_equal(capture_context_name(block, CAPTURE_NO_CONTEXT), "");
}

TEST(switches_of_contexts_are_kept)
{
	for (unsigned variant = 0; variant < 4; variant++) {
		struct build_block *described = describe(variant & 1, variant & 2 ? 8 : 4, true);

		described->counts_switches = true;
		described->contexts[described->context_count++] = "";
		described->switches[0] = 0x12345678;
		described->switches[2] = BAREPROF_COUNTER_LIMIT;
		const struct capture_block *block = decode_block(described, NULL)->blocks;
		assert_int_equal(block->context_count, 3);
		assert_string_equal(capture_context_name(block, 1), "sixteen letters!");
		assert_int_equal(block->contexts[0].switches, 0x12345678);
		assert_int_equal(block->contexts[1].switches, 0);
		assert_int_equal(block->contexts[2].switches, BAREPROF_COUNTER_LIMIT);
		assert_int_equal(block->arcs_saturated, 1);
		assert_int_equal(block->arcs[0].count, 3);
	}
}

TEST(switches_that_were_not_counted_are_unknown)
{
	const struct capture_block *block = decode_block(describe(false, 4, true), NULL)->blocks;

	assert_int_equal(block->contexts[0].switches, CAPTURE_UNKNOWN);
	assert_int_equal(block->contexts[1].switches, CAPTURE_UNKNOWN);
	assert_int_equal(block->arcs_saturated, 0);
}

/* Decodes two contexts of size bytes, placed at the end of the block instead of its samples. */
static struct capture *decode_contexts_of(unsigned size)
{
	size_t block_size;
	uint8_t *bytes = bytes_of_block(describe(false, 4, true), &block_size);
	size_t offset = block_size - 2 * size;

	bytes[GRANULES + BAREPROF_ENTRY_KIND] = bytes[COARSE + BAREPROF_ENTRY_KIND] = BAREPROF_SECTION_UNUSED;
	bytes[CONTEXTS + BAREPROF_ENTRY_ITEM_SIZE] = (uint8_t)size;
	bytes[CONTEXTS + BAREPROF_ENTRY_OFFSET] = (uint8_t)offset;
	bytes[CONTEXTS + BAREPROF_ENTRY_OFFSET + 1] = (uint8_t)(offset >> 8);
	memset(bytes + offset, 'x', 2 * size);
	struct capture *capture = decode_bytes("x", bytes, block_size);
	return capture;
}

TEST(contexts_are_read_within_their_item_size)
{
	for (unsigned size = 16; size <= 32; size++) {
		struct capture *capture = decode_contexts_of(size);
		const struct capture_context *contexts = capture->blocks[0].contexts;

		for (unsigned i = 0; i < 2; i++) {
			assert_string_equal(contexts[i].name, "xxxxxxxxxxxxxxxx");
			assert_int_equal(contexts[i].switches, size < 20 ? CAPTURE_UNKNOWN : 0x78787878);
		}
	}
}

TEST(without_contexts_no_cell_or_arc_has_one)
{
	for (unsigned address_size = 4; address_size <= 8; address_size += 4) {
		const struct capture_block *block = decode_block(describe(false, address_size, false), NULL)->blocks;

		assert_false(block->has_contexts);
		for (size_t i = 0; i < block->cell_count; i++)
			assert_int_equal(block->cells[i].context, CAPTURE_NO_CONTEXT);
		assert_arcs(block, "8005>8081 3\n");
	}
}

TEST(last_granule_ends_at_the_end_of_memory)
{
	struct build_block *block = describe(false, 8, false);

	build_block_granule(block, UINT64_MAX, 1, 0);
	struct capture *capture = decode_block(block, NULL);
	const struct capture_cell *last = &capture->blocks[0].cells[5];
	assert_true(last->low == UINT64_MAX - 7 && last->high == UINT64_MAX && last->count == 1);
}

/* The described block with one field overwritten. */
static void assert_refused(size_t offset, uint32_t value, unsigned size, const char *words)
{
	assert_block_refused(describe(false, 4, true), &(struct patch){offset, size, value}, words);
}

TEST(granule_past_the_last_byte_is_refused)
{
	struct build_block *block = describe(false, 8, false);

	block->granule_shift = 0;
	build_block_granule(block, UINT64_MAX, 1, 0);
	assert_block_refused(block, NULL, "granule 0xffffffffffffffff of 1 bytes is past the end of memory");
}

TEST(malformed_sparse_store_is_refused_with_its_offset)
{
	const unsigned names = 280, arcs = names + 2 * 16, granules = arcs + 16;

	assert_refused(GRANULES + BAREPROF_ENTRY_ITEM_SIZE, 7, 2,
	               "offset 0x148: granules of 2^3 bytes of code in 7 bytes");
	assert_refused(GRANULES + BAREPROF_ENTRY_ITEM_SIZE, 0, 2, "in 0 bytes, expected 2^31 or less in 8 or more");
	assert_refused(GRANULES + BAREPROF_ENTRY_PARAMETER, 32, 1, "granules of 2^32 bytes");
	assert_refused(GRANULES + BAREPROF_ENTRY_CAPACITY, 0x20000000, 4, "outside the block");
	assert_refused(GRANULES + BAREPROF_ENTRY_USED, 9, 4, "uses 9 of 8 items");
	assert_refused(GRANULES + BAREPROF_ENTRY_OFFSET, 0xFFFFFFF8, 4, "outside the block");
	assert_refused(granules, 0x20000000, 4,
	               "offset 0x148: granule 0x20000000 of 8 bytes is past the end of memory");
	assert_refused(COARSE + BAREPROF_ENTRY_ITEM_SIZE, 3, 2, "bins of 3 bytes");
	assert_refused(COARSE + BAREPROF_ENTRY_PARAMETER, 1, 1, "needs 128 bins, 2 of 2 are left");
	assert_refused(CONTEXTS + BAREPROF_ENTRY_ITEM_SIZE, 15, 2,
	               "offset 0x118: contexts of 15 bytes, expected at least 16");
	assert_refused(CONTEXTS + BAREPROF_ENTRY_PARAMETER, BAREPROF_CONTEXT_WIDE_COUNT, 1,
	               "offset 0x118: contexts of 16 bytes, expected at least 24");
	assert_refused(CONTEXTS + BAREPROF_ENTRY_CAPACITY, 0x10000001, 4, "outside the block");
	assert_refused(CONTEXTS + BAREPROF_ENTRY_KIND, BAREPROF_SECTION_GRANULES, 1, "a second section of kind 4");
	assert_refused(ENTRY(2) + BAREPROF_ENTRY_ITEM_SIZE, 15, 2, "arcs of 15 bytes, expected at least 16");
}

TEST(empty_tables_have_no_cells)
{
	const struct patch unused = {GRANULES + BAREPROF_ENTRY_USED, 1, 0};
	struct capture *capture = decode_block(describe(false, 4, true), &unused);

	assert_int_equal(capture->blocks[0].cell_count, 1);
}
