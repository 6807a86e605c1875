/* SPDX-License-Identifier: MIT */
/* Path trees, as the recorder leaves them and as it never would. */
#include "decode.h"
#include "test.h"

#include <bareprof/block.h>

#include <string.h>

static struct build_block empty_block(void)
{
	static struct build_block block;

	build_block_defaults(&block);
	return block;
}

static const struct capture_block *decode(const struct build_block *block)
{
	return decode_block(block, NULL)->blocks;
}

TEST(tree_is_read_in_every_order_and_width)
{
	for (unsigned i = 0; i < 4; i++) {
		struct build_block block = empty_block();

		block.big_endian = i & 1;
		block.address_size = i & 2 ? 8 : 4;
		build_block_node(&block, 2, NONE, ROOT | 1 << 8, 0);
		build_block_node(&block, 0xF0008001, 0, CALL, 0);
		build_block_node(&block, 0x9000, 1, LEAF, 0x12345678);
		build_block_node(&block, 0x9000, 0, LEAF, 0);
		const struct capture_block *decoded = decode(&block);
		assert_paths(decoded, "root 2 end 1\n0 call f0008001\n1 leaf 9000 305419896\n0 leaf 9000 0\n");
		assert_int_equal(decoded->path_nodes_bad, 0);
		assert_int_equal(decoded->path_node_capacity, 4);
		assert_true(decoded->has_stack_totals);
	}
}

TEST(parents_come_first_from_any_place_in_the_table)
{
	struct build_block block = empty_block();

	build_block_node(&block, 0x9000, 3, LEAF, 5);
	build_block_node(&block, 0, 0, 0, 0);
	build_block_node(&block, UINT32_MAX, NONE, ROOT, 0);
	build_block_node(&block, 0x8001, 4, CALL, 0);
	build_block_node(&block, 0x8003, 2, CALL, 0);
	build_block_node(&block, 0xA000, 4, LEAF, 6);
	const struct capture_block *decoded = decode(&block);
	assert_paths(decoded, "root -1 end 0\n0 call 8003\n1 call 8001\n2 leaf 9000 5\n1 leaf a000 6\n");
	assert_int_equal(decoded->path_nodes_bad, 0);
}

TEST(impossible_nodes_are_left_out_and_counted)
{
	static const struct build_node cases[] = {
	        {0x8001, NONE, CALL, 0},     /* only roots have no parent */
	        {0x8001, 64, CALL, 0},       /* no such node */
	        {0x8001, 2, CALL, 0},        /* below a free slot */
	        {0x8001, 1, CALL, 0},        /* below a leaf */
	        {0x8001, 3, CALL, 0},        /* below itself */
	        {0x8001, 0, CALL, 1},        /* only leaves count */
	        {0x8001, 0, CALL | LEAF, 0}, /* two kinds */
	        {0x8001, 0, 0x100, 0},       /* none */
	        {0, NONE, ROOT | BAREPROF_ENDS << 8, 0} /* an unknown end */,
	        {0, 0, ROOT, 0}, /* with a parent */
	        {0, NONE, ROOT, 1},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct build_block block = empty_block();

		build_block_node(&block, 0, NONE, ROOT, 0);
		build_block_node(&block, 0x9000, 0, LEAF, 5);
		build_block_node(&block, 0, 0, 0, 0);
		block.nodes[block.node_count++] = cases[i];
		build_block_node(&block, 0x8003, 3, CALL, 0);
		build_block_node(&block, 0x9000, 4, LEAF, 7);
		const struct capture_block *decoded = decode(&block);
		assert_paths(decoded, "root 0 end 0\n0 leaf 9000 5\n");
		assert_int_equal(decoded->path_nodes_bad, 3);
	}
}

TEST(cycles_are_left_out_with_what_is_below_them)
{
	struct build_block block = empty_block();

	build_block_node(&block, 0x9000, 1, LEAF, 5);
	build_block_node(&block, 0x8001, 3, CALL, 0);
	build_block_node(&block, 0x8003, 1, CALL, 0);
	build_block_node(&block, 0x8005, 2, CALL, 0);
	build_block_node(&block, 0, NONE, ROOT, 0);
	build_block_node(&block, 0x9002, 4, LEAF, 6);
	build_block_node(&block, 0x9004, 2, LEAF, 6);
	const struct capture_block *decoded = decode(&block);
	assert_paths(decoded, "root 0 end 0\n0 leaf 9002 6\n");
	assert_int_equal(decoded->path_nodes_bad, 5);
}

TEST(full_counters_of_leaves_are_counted)
{
	struct build_block block = empty_block();

	build_block_node(&block, 0, NONE, ROOT, 0);
	build_block_node(&block, 0x9000, 0, LEAF, 0xFFFFFF00);
	build_block_node(&block, 0x9002, 0, LEAF, 0xFFFFFEFF);
	assert_int_equal(decode(&block)->cells_saturated, 1);
}

TEST(nodes_of_a_wrong_size_are_refused)
{
	struct build_block block = empty_block();
	const struct patch patch = {0x90 + 16 * 6 + 2, 2, 11}, wide = {0x90 + 16 * 6 + 1, 1, 1};

	build_block_node(&block, 0, NONE, ROOT, 0);
	assert_block_refused(&block, &patch, "path nodes of 11 bytes, expected at least 12");
	assert_block_refused(&block, &wide, "path nodes of 12 bytes, expected at least 20");
}

#define CHAIN_NODES 65000u

TEST(chains_end_at_the_deepest_path)
{
	size_t size;
	uint8_t *bytes = tree_bytes(CHAIN_NODES, 0, &size);
	const struct capture_block *block = decode_bytes("block.bprof", bytes, size)->blocks;

	assert_int_equal(block->path_node_count, CAPTURE_PATH_DEPTH_MAX + 1);
	assert_int_equal(block->path_nodes_bad, CHAIN_NODES - CAPTURE_PATH_DEPTH_MAX - 1);
	assert_int_equal(block->path_nodes[1].key, CHAIN_NODES - 2);
}

/* The nodes of a long cycle are walked once, not once for each. */
TEST(long_cycles_are_walked_once)
{
	size_t size;
	uint8_t *bytes = tree_bytes(CHAIN_NODES, 0, &size);
	uint8_t *last = bytes + size - 12;

	memset(last + 4, 0, 4);
	last[6] = CALL;
	const struct capture_block *block = decode_bytes("block.bprof", bytes, size)->blocks;
	assert_int_equal(block->path_node_count, 0);
	assert_int_equal(block->path_nodes_bad, CHAIN_NODES);
}

/* A chain of 4,096 functions, and 28,670 leaves below the last: the paths, one by one, have 117 million items. */
TEST(memory_of_a_tree_grows_with_its_nodes_only)
{
	size_t size, before = allocated();
	uint8_t *bytes = tree_bytes(CAPTURE_PATH_DEPTH_MAX, 28670, &size);
	struct capture *capture = decode_bytes("block.bprof", bytes, size);
	enum capture_course course;
	struct capture *interval = capture_since(capture, capture, &course);

	assert_in_range(size, 393000, 394000);
	assert_int_equal(capture->blocks->path_node_count, CAPTURE_PATH_DEPTH_MAX + 28670);
	assert_int_equal(capture->blocks->path_nodes_bad, 0);
	assert_int_equal(course, CAPTURE_CONTINUES);
	assert_int_equal(interval->blocks->path_node_count, 0);
	assert_true(allocated() < before + 8 * size);
	capture_close(interval);
}
