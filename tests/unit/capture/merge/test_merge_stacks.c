/* SPDX-License-Identifier: MIT */
/* Slices are pooled and path trees are added up. */
#include "capture/merge/slice_pool.h"
#include "runs.h"
#include "test.h"

#include <string.h>

static struct build_block plain_block(void)
{
	static struct build_block block;

	build_block_defaults(&block);
	block.ticks = block.outside = 100;
	block.slice_room = 8;
	build_block_node(&block, UINT32_MAX, NONE, ROOT, 0);
	build_block_node(&block, 0x8001, 0, CALL, 0);
	build_block_node(&block, 0x9000, 1, LEAF, 0xFFFFFFF0);
	block.stack_totals[0] = 20;
	return block;
}

static struct build_block other_block(void)
{
	struct build_block block = plain_block();

	block.node_count = 0;
	build_block_node(&block, 0x9000, 2, LEAF, 0xFFFFFFF0);
	build_block_node(&block, UINT32_MAX, NONE, ROOT, 0);
	build_block_node(&block, 0x8001, 1, CALL, 0);
	build_block_node(&block, 0x9000, 1, LEAF, 7);
	build_block_node(&block, UINT32_MAX, NONE, ROOT | 4 << 8, 0);
	build_block_node(&block, 0x9000, 4, LEAF, 1);
	return block;
}

TEST(same_paths_are_added_up_beyond_32_bits)
{
	const struct build_block one = plain_block(), two = other_block();
	static const char sum[] = "root -1 end 0\nroot -1 end 4\n0 call 8001\n0 leaf 9000 7\n1 leaf 9000 1\n"
	                          "2 leaf 9000 8589934560\n";
	struct capture *forward[] = {decode_block(&one, NULL), decode_block(&two, NULL)};
	struct capture *backward[] = {forward[1], forward[0]};
	const struct capture *merged = merge_runs(forward, 2, false);

	assert_int_equal(merged->block_count, 1);
	assert_paths(merged->blocks, sum);
	assert_paths(merge_runs(backward, 2, false)->blocks, sum);
}

TEST(counts_of_paths_stop_at_64_bits)
{
	const struct build_block block = plain_block();
	struct capture *sum = decode_block(&block, NULL);

	for (unsigned i = 0; i < 12; i++) {
		struct capture *many[8] = {sum, sum, sum, sum, sum, sum, sum, sum};

		sum = merge_runs(many, 8, false);
	}
	assert_paths(sum->blocks, "root -1 end 0\n0 call 8001\n1 leaf 9000 18446744073709551615\n");
}

TEST(totals_of_stacks_are_added_up)
{
	struct build_block block = plain_block();
	static const uint32_t totals[14] = {20,         0xF0000001, 0xF0000002,       7, 5, 99,
	                                    0xF0000004, 0xABCD,     [13] = 0xF0000005};

	block.minor = 3;
	memcpy(block.stack_totals, totals, sizeof totals);
	build_block_slice(&block, 1, 0x8000, 0)->number_again = 2;
	build_block_node(&block, 0x9000, 50, LEAF, 1);
	struct capture *capture = decode_block(&block, NULL), *twice[] = {capture, capture};
	const struct capture_block *sum = merge_runs(twice, 2, false)->blocks;
	assert_int_equal(sum->stack_totals.offered, 40);
	assert_int_equal(sum->stack_totals.bad, 2 * UINT64_C(0xF0000001));
	assert_int_equal(sum->stack_totals.timed, 2 * UINT64_C(0xF0000002));
	assert_int_equal(sum->stack_totals.cost, UINT64_C(0xA0000000E));
	assert_int_equal(sum->stack_totals.tree_full, 2 * UINT64_C(0xF0000004));
	assert_int_equal(sum->stack_totals.table_crc, 0xABCD);
	assert_int_equal(sum->stack_totals.overruns, 2 * UINT64_C(0xF0000005));
	assert_int_equal(sum->slices_in_flight, 2);
	assert_int_equal(sum->path_nodes_bad, 2);
	assert_int_equal(sum->slice_capacity, 1);
	assert_int_equal(sum->slice_bytes, 8);
	assert_int_equal(sum->path_node_capacity, 4);
}

TEST(slices_keep_their_weights_and_get_new_numbers)
{
	struct build_block one = plain_block(), two = plain_block();

	build_block_slice(&one, 4, 0x8000, 2);
	build_block_slice(&one, 3, 0x9000, 0)->context = 1;
	two.slice_room = 16;
	two.stack_totals[0] = 1000;
	build_block_slice(&two, 4, 0xA000, 16);
	struct capture *captures[] = {decode_block(&one, NULL), decode_block(&two, NULL)};
	struct capture *sum = merge_runs(captures, 2, false);
	assert_slices(sum->blocks, "1 9000 9001 9002 9003 0 *10.0000@1\n2 8000 8001 8002 8003 0 0001*10.0000\n"
	                           "3 a000 a001 a002 a003 0 000102030405060708090a0b0c0d0e0f*1000.0000\n");
	assert_int_equal(sum->blocks->stack_totals.offered, 1020);
	struct capture *again[] = {sum, captures[0]};
	assert_slices(merge_runs(again, 2, false)->blocks,
	              "1 9000 9001 9002 9003 0 *10.0000@1\n2 8000 8001 8002 8003 0 0001*10.0000\n"
	              "3 a000 a001 a002 a003 0 000102030405060708090a0b0c0d0e0f*1000.0000\n"
	              "4 9000 9001 9002 9003 0 *10.0000@1\n5 8000 8001 8002 8003 0 0001*10.0000\n");
}

TEST(different_stores_of_stacks_stay_apart)
{
	const struct build_block block = plain_block();
	struct build_block others[4] = {block, block, block, block};

	others[0].stack_totals[7] = 1;
	build_block_slice(&others[1], 1, 0x8000, 0);
	others[2].slices_filtered = true;
	others[3].node_count = 0;
	for (unsigned i = 0; i < 4; i++) {
		struct capture *captures[] = {decode_block(&block, NULL), decode_block(&others[i], NULL)};

		assert_int_equal(merge_runs(captures, 2, false)->block_count, 2);
	}
}

/* Slices of more captures than a sum holds: a uniform sample of them remains, and stands for all ticks. */
TEST(too_many_slices_leave_a_uniform_sample)
{
	enum { SLICES = 200000 };
	static struct capture_slice slices[SLICES];
	struct capture_block block = {.header.order = {false, 4}, .slices = slices, .slice_count = SLICES / 2},
	                     sum = {0};
	struct slice_pool pool = {0};
	uint64_t weight = 0;
	size_t early = 0;

	for (uint32_t i = 0; i < SLICES / 2; i++)
		slices[i] = (struct capture_slice){.number = i + 1, .pc = i, .weight = 65536};
	assert_true(slice_pool_add(&pool, &block));
	for (uint32_t i = 0; i < SLICES / 2; i++)
		slices[i].pc += SLICES / 2;
	assert_true(slice_pool_add(&pool, &block));
	assert_true(slice_pool_finish(&pool, &sum));
	assert_int_equal(sum.slice_count, SLICE_POOL_MAX);
	for (size_t i = 0; i < sum.slice_count; i++) {
		weight += sum.slices[i].weight;
		early += sum.slices[i].pc < SLICES / 2;
		assert_int_equal(sum.slices[i].number, i + 1);
		assert_true(i == 0 || sum.slices[i].pc > sum.slices[i - 1].pc);
	}
	/* Six standard errors of a share of one half, and half a unit of rounding for each slice. */
	assert_in_range(early, SLICE_POOL_MAX / 2 - 6 * 105, SLICE_POOL_MAX / 2 + 6 * 105);
	assert_in_range(weight, UINT64_C(65536) * SLICES - SLICE_POOL_MAX, UINT64_C(65536) * SLICES + SLICE_POOL_MAX);
	slice_pool_free(&pool);
}

TEST(large_slices_are_bounded_in_bytes)
{
	enum { SLICES = 3000 };
	static struct capture_slice slices[SLICES];
	static const uint8_t stack[0x8000];
	struct capture_block block = {.header.order = {false, 4}, .slices = slices, .slice_count = SLICES}, sum = {0};
	struct slice_pool pool = {0};

	block.slice_bytes = sizeof stack;
	for (uint32_t i = 0; i < SLICES; i++)
		slices[i] = (struct capture_slice){.number = i + 1, .weight = 1, .size = sizeof stack, .bytes = stack};
	assert_true(slice_pool_add(&pool, &block));
	assert_true(slice_pool_finish(&pool, &sum));
	assert_int_equal(sum.slice_count, SLICE_POOL_BYTES_MAX / (sizeof stack + 1));
	slice_pool_free(&pool);
}

TEST(memory_of_merged_trees_is_bounded_by_the_sum)
{
	struct merge *merge = merge_create(false);
	size_t size, used_before = 0;
	uint8_t *bytes = tree_bytes(4096, 28670, &size);
	struct capture *capture = decode_bytes("tree.bprof", bytes, size);
	const struct capture *sum;

	for (unsigned run = 1; run <= 20; run++) {
		assert_success(merge_add(merge, capture, &failure), &failure);
		if (run == 1)
			used_before = allocated();
	}
	assert_true(allocated() <= used_before + 4096);
	assert_success(merge_finish(merge, "sum", &sum, &failure), &failure);
	assert_int_equal(sum->blocks[0].path_node_count, 4096 + 28670);
	assert_int_equal(sum->blocks[0].path_nodes[4096 + 28669].count, 20);
	merge_free(merge);
}
