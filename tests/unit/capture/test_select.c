/* SPDX-License-Identifier: MIT */
/* Parts of a capture, selected by core and context. */
#include "decode.h"
#include "test.h"

/* One block: samples of "idle", "uart" (on core 1 "dsp") and a context without a name, in a coarse bin and outside. */
static struct build_block build(unsigned core)
{
	static struct build_block block;

	build_block_defaults(&block);
	block.core = core;
	block.ranges[0][1] = 0x100;
	block.range_count = 1;
	block.granule_capacity = 8;
	block.granule_shift = 3;
	block.bin_shift = 7;
	block.bin_bytes = 4;
	block.contexts[block.context_count++] = "idle";
	block.contexts[block.context_count++] = core == 0 ? "uart" : "dsp";
	block.counts_switches = true;
	block.switches[0] = 64;
	block.switches[1] = 128;
	build_block_granule(&block, 0x00, 1, 0);
	build_block_granule(&block, 0x08, 2, 1);
	build_block_granule(&block, 0x08, 4, 5);
	build_block_sample(&block, 0x80, 8);
	build_block_arc_of(&block, 0x11, 0x21, 16, 1);
	block.outside = 32;
	return block;
}

static struct capture *two_cores(void)
{
	const struct build_block blocks[] = {build(0), build(1)};
	size_t size;
	const uint8_t *file = file_of_blocks(blocks, 2, &(struct capture_trailer){.time = 1}, &size);

	return decode_bytes("two", file, size);
}

static struct capture *select_from(const struct capture *capture, const struct capture_selection *selection)
{
	struct capture *copy = capture_select(capture, selection);

	assert_non_null(copy);
	return close_capture_later(copy);
}

static uint64_t samples_of(const struct capture_block *block)
{
	uint64_t count = block->is_part ? 0 : block->header.samples_outside;

	for (size_t i = 0; i < block->cell_count; i++)
		count += block->cells[i].count;
	return count;
}

TEST(samples_and_calls_of_a_selection_are_copied)
{
	static const struct capture_selection others[] = {
	        {.of_context = true, .context = 1, .context_name = "dsp"},
	        {.of_context = true, .context = CAPTURE_NO_CONTEXT},
	};
	static const struct {
		struct capture_selection selection;
		size_t blocks;
		uint64_t samples[2];
		size_t arcs[2];
	} cases[] = {
	        {{0}, 2, {47, 47}, {1, 1}},
	        {{.of_core = true, .core = 1}, 1, {47}, {1}},
	        {{.of_context = true, .context = 1}, 2, {2, 2}, {1, 1}},
	        {{.context_name = "dsp"}, 2, {0, 2}, {0, 1}},
	        /* A number and a name must both match. */
	        {{.of_context = true, .context = 0, .context_name = "dsp"}, 2, {0, 0}, {0, 0}},
	        {{.of_context = true, .context = 5, .context_name = ""}, 2, {4, 4}, {0, 0}},
	        /* Coarse bins and samples outside have no context. */
	        {{.of_context = true, .context = CAPTURE_NO_CONTEXT}, 2, {40, 40}, {0, 0}},
	        {{.except = others, .except_count = 2}, 2, {7, 5}, {1, 0}},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct capture *copy = select_from(two_cores(), &cases[i].selection);

		assert_string_equal(copy->path, "two");
		assert_int_equal(copy->block_count, cases[i].blocks);
		for (size_t j = 0; j < copy->block_count; j++) {
			assert_int_equal(samples_of(&copy->blocks[j]), cases[i].samples[j]);
			assert_arcs(&copy->blocks[j], cases[i].arcs[j] > 0 ? "11>21 16@1\n" : "");
			/* Samples outside still count for the whole block. */
			assert_int_equal(copy->blocks[j].header.samples_outside, 32);
		}
		if (cases[i].selection.of_core)
			assert_int_equal(copy->blocks[0].header.core, cases[i].selection.core);
	}
}

TEST(switches_of_other_contexts_are_not_copied)
{
	struct capture *copy = select_from(two_cores(), &(struct capture_selection){.of_context = true, .context = 1});

	assert_int_equal(copy->blocks[0].contexts[0].switches, 0);
	assert_int_equal(copy->blocks[0].contexts[1].switches, 128);
}

TEST(selection_from_a_selection_has_no_samples_outside)
{
	struct capture *part = select_from(two_cores(), &(struct capture_selection){.of_context = true, .context = 1});
	const struct capture_selection others = {.of_context = true, .context = 7};
	struct capture *copy = select_from(part, &(struct capture_selection){.except = &others, .except_count = 1});

	assert_int_equal(samples_of(&copy->blocks[0]), 2);
}
