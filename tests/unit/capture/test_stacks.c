/* SPDX-License-Identifier: MIT */
/* Slices and path trees that are written, selected, compared, and subtracted. */
#include "decode.h"
#include "test.h"

#include <bareprof/block.h>
#include <string.h>

/* Slices and paths of two contexts and of none, and a torn one of each. */
static struct build_block stacks_block(void)
{
	static struct build_block block;
	static const uint32_t totals[8] = {40, 2, 10, 700, 1, 99, 3, 0x12345678};

	build_block_defaults(&block);
	block.minor = 2;
	block.random = 1;
	block.tick_cost = 2;
	block.state = BAREPROF_STATE_RUNNING;
	block.ticks = block.outside = 100;
	block.context_count = 2;
	block.contexts[0] = "idle";
	block.contexts[1] = "uart";
	block.slice_room = 8;
	build_block_slice(&block, 5, 0x8000, 8)->context = 0;
	build_block_slice(&block, 20, 0x9000, 3)->flags = 7;
	build_block_slice(&block, 17, 0xA000, 4)->context = 1;
	build_block_slice(&block, 18, 0xB000, 4)->number_again = 19;
	block.slices[2].entry = 0xFFFFFFFD;
	build_block_node(&block, 0, NONE, ROOT | 1 << 8, 0);
	build_block_node(&block, 1, NONE, ROOT | 2 << 8, 0);
	build_block_node(&block, UINT32_MAX, NONE, ROOT, 0);
	build_block_node(&block, 0x8001, 0, CALL, 0);
	build_block_node(&block, 0x8001, 1, CALL, 0);
	build_block_node(&block, 0x9000, 3, LEAF, 10);
	build_block_node(&block, 0x9000, 4, LEAF, 20);
	build_block_node(&block, 0x9000, 2, LEAF, 5);
	build_block_node(&block, 0x9000, 60, LEAF, 5);
	memcpy(block.stack_totals, totals, sizeof totals);
	return block;
}

static struct build_block filtered_block(void)
{
	struct build_block block = stacks_block();

	block.slice_room = 24;
	block.slices_filtered = true;
	block.slice_count = 0;
	struct build_slice *slice = build_block_slice(&block, 30, 0x8000, 24);
	slice->bytes = 40;
	memset(slice->stack, 0, 8);
	slice->stack[block.big_endian ? block.address_size - 1 : 0] = 0x12;
	return block;
}

static const struct capture_block *select_from(const struct capture *capture, const struct capture_selection *selection)
{
	struct capture *part = capture_select(capture, selection);

	assert_non_null(part);
	return close_capture_later(part)->blocks;
}

static const struct capture_block *between(const struct build_block *earlier, const struct build_block *later,
                                           enum capture_course expected)
{
	enum capture_course course;
	struct capture *interval = capture_since(decode_block(later, NULL), decode_block(earlier, NULL), &course);

	assert_non_null(interval);
	assert_int_equal(course, expected);
	return close_capture_later(interval)->blocks;
}

TEST(stacks_are_written_and_read_in_every_order_and_width)
{
	for (unsigned i = 0; i < 8; i++) {
		struct build_block block = stacks_block();

		block.big_endian = i & 1;
		block.address_size = i & 2 ? 8 : 4;
		if (i & 4) {
			const struct build_block model = block;

			block = filtered_block();
			block.big_endian = model.big_endian;
			block.address_size = model.address_size;
			block.slices[0].stack[0] = block.slices[0].stack[7] = 0x12;
		}
		struct capture *capture = decode_block(&block, NULL);
		struct capture_block *decoded = capture->blocks;
		const struct capture_block *again = write_and_decode(capture)->blocks;
		assert_int_equal(again->slice_count, i & 4 ? 1 : 3);
		/* Writing changes these two in any block. */
		decoded->merged_count = 1;
		decoded->arc_capacity = again->arc_capacity;
		assert_same_block(again, decoded);
	}
}

TEST(room_of_merged_stacks_stays_without_any)
{
	struct build_block block = stacks_block();

	block.slice_count = 1;
	block.slices[0].number = 0;
	block.nodes[0].flags = ROOT | CALL;
	block.node_count = 1;
	const struct capture_block *again = write_and_decode(decode_block(&block, NULL))->blocks;
	assert_int_equal(again->slice_count, 0);
	assert_int_equal(again->slice_capacity, 1);
	assert_int_equal(again->slice_bytes, 8);
	assert_int_equal(again->slices_in_flight, 1);
	assert_int_equal(again->path_node_count, 0);
	assert_int_equal(again->path_node_capacity, 1);
	assert_int_equal(again->path_nodes_bad, 1);
}

TEST(counts_of_lost_stacks_do_not_overflow)
{
	const struct build_block block = stacks_block();
	struct capture *capture = decode_block(&block, NULL);

	capture->blocks->slices_in_flight = capture->blocks->path_nodes_bad = UINT64_MAX;
	capture->blocks->slices[1].number = capture->blocks->slices[0].number;
	capture->blocks->path_nodes[0].kind = 0;
	const struct capture_block *again = write_and_decode(capture)->blocks;
	assert_int_equal(again->slices_in_flight, UINT64_MAX);
	assert_int_equal(again->path_nodes_bad, UINT64_MAX);
}

TEST(captures_without_stacks_are_written_without_their_sections)
{
	struct build_block block;

	build_block_defaults(&block);
	const struct capture_block *again = write_and_decode(decode_block(&block, NULL))->blocks;
	assert_int_equal(again->section_count, 5);
	assert_false(again->has_stack_totals);
}

TEST(stacks_of_a_context_are_selected)
{
	const struct build_block block = stacks_block();
	const struct capture *capture = decode_block(&block, NULL);
	const struct capture_selection uart = {.context_name = "uart"}, all = {.of_core = true};
	const struct capture_selection none = {.of_context = true, .context = CAPTURE_NO_CONTEXT};
	const struct capture_block *part = select_from(capture, &uart);

	assert_slices(part, "17 a000 a001 a002 a003 fffffffd 00010203*13.3333@1\n");
	assert_paths(part, "root 1 end 2\n0 call 8001\n1 leaf 9000 20\n");
	assert_int_equal(part->stack_totals.offered, 40);
	part = select_from(capture, &none);
	assert_slices(part, "20 9000 9001 9002 9003 0 000102*13.3333 bad whole withheld\n");
	assert_paths(part, "root -1 end 0\n0 leaf 9000 5\n");
	assert_same_block(select_from(capture, &all), capture->blocks);
}

TEST(filtered_slices_are_copied_whole)
{
	const struct build_block block = filtered_block();
	const struct capture *capture = decode_block(&block, NULL);
	const struct capture_selection all = {0};

	assert_int_equal(capture->blocks->slice_count, 1);
	assert_same_block(select_from(capture, &all), capture->blocks);
}

/* Copies belong to one capture only: the other may be closed. */
TEST(selected_slices_outlive_their_capture)
{
	const struct build_block block = stacks_block();
	struct capture *whole = capture_select(decode_block(&block, NULL), &(struct capture_selection){0});
	struct capture *part = capture_select(whole, &(struct capture_selection){.context_name = "uart"});

	capture_close(whole);
	assert_slices(part->blocks, "17 a000 a001 a002 a003 fffffffd 00010203*13.3333@1\n");
	capture_close(part);
}

TEST(captures_repeat_only_with_equal_stacks)
{
	const struct build_block block = stacks_block(), filtered = filtered_block();
	const struct capture *capture = decode_block(&block, NULL);
	struct build_block others[6] = {block, block, block, block, block, filtered};

	assert_true(capture_is_repeat(capture, decode_block(&block, NULL)));
	assert_true(capture_is_repeat(decode_block(&filtered, NULL), decode_block(&filtered, NULL)));
	others[0].slices[0].stack[0] = 1;
	others[1].slices[0].lr++;
	others[2].nodes[5].count++;
	others[3].nodes[3].key++;
	others[4].slices[0].bytes--;
	for (unsigned i = 0; i < 6; i++)
		assert_false(capture_is_repeat(capture, decode_block(&others[i], NULL)));
}

TEST(interval_has_only_slices_and_paths_since)
{
	struct build_block earlier = stacks_block(), later;

	earlier.minor = 3;
	earlier.stack_totals[13] = 4;
	later = earlier;
	later.ticks = later.outside = 200;
	build_block_slice(&later, 41, 0xC000, 0);
	build_block_slice(&later, 50, 0xD000, 0);
	build_block_slice(&later, 40, 0xE000, 0);
	later.nodes[6].count += 3;
	build_block_node(&later, 0x9100, 3, LEAF, 7);
	later.stack_totals[0] = 60;
	later.stack_totals[1] = 3;
	later.stack_totals[2] = 30;
	later.stack_totals[3] = 760;
	later.stack_totals[6] = 5;
	later.stack_totals[13] = 7;
	const struct capture_block *block = between(&earlier, &later, CAPTURE_CONTINUES);
	assert_slices(block, "41 c000 c001 c002 c003 0 *10.0000\n50 d000 d001 d002 d003 0 *10.0000\n");
	assert_paths(block, "root 0 end 1\nroot 1 end 2\n0 call 8001\n1 call 8001\n3 leaf 9000 3\n2 leaf 9100 7\n");
	assert_int_equal(block->stack_totals.offered, 20);
	assert_int_equal(block->stack_totals.bad, 1);
	assert_int_equal(block->stack_totals.tree_full, 2);
	assert_int_equal(block->stack_totals.timed, 20);
	assert_int_equal(block->stack_totals.cost, 60);
	assert_int_equal(block->stack_totals.overruns, 3);
	assert_int_equal(block->tick_cost, 100 * 2 + 300);
}

TEST(interval_of_a_stopped_tree_is_empty)
{
	const struct build_block block = stacks_block();
	const struct capture_block *interval = between(&block, &block, CAPTURE_CONTINUES);

	assert_slices(interval, "");
	assert_paths(interval, "");
}

/* An interrupt may add a node that another one adds, too. */
TEST(path_in_two_nodes_is_subtracted_as_one)
{
	const struct build_block earlier = stacks_block();
	struct build_block later = earlier;

	build_block_node(&later, 0x9000, 2, LEAF, 4);
	assert_paths(between(&earlier, &later, CAPTURE_CONTINUES), "root -1 end 0\n0 leaf 9000 4\n");
}

TEST(tree_that_lost_counts_is_of_another_run)
{
	struct build_block earlier = stacks_block();

	earlier.minor = 3;
	earlier.stack_totals[13] = 4;

	struct build_block others[5] = {earlier, earlier, earlier, earlier, earlier};

	others[0].nodes[5].count--;
	others[1].nodes[5].key++;
	others[2].stack_totals[0]--;
	others[3].stack_totals[7]++;
	others[4].stack_totals[13]--;
	for (unsigned i = 0; i < 5; i++) {
		const struct capture_block *block = between(&earlier, &others[i], CAPTURE_RESTARTED);

		assert_int_equal(block->slice_count, 3);
		assert_int_equal(block->path_node_count, 8);
	}
}
