/* SPDX-License-Identifier: MIT */
/* Parts of a capture, selected by core and context. */
#include "../../block/build_block.h"
#include "capture/capture.h"
#include "test.h"

#include <bareprof/block.h>
#include <stdlib.h>
#include <string.h>

/* One block: samples of "idle", of "uart" and of a context without a name, in a coarse bin and outside. */
static uint8_t *build(unsigned core, size_t *size)
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
	return build_block_bytes(&block, size);
}

static struct capture *two_cores(void)
{
	size_t first_size, second_size;
	struct capture *capture;
	struct error error;
	uint8_t *bytes = build(0, &first_size), *second = build(1, &second_size);
	bytes = realloc(bytes, first_size + second_size);
	memcpy(bytes + first_size, second, second_size);
	assert_int_equal(capture_decode("two", bytes, first_size + second_size, &capture, &error), STATUS_OK);
	free(second);
	free(bytes);
	return capture;
}

static struct capture *selected(const struct capture_selection *selection)
{
	struct capture *capture = two_cores();
	struct capture *copy = capture_select(capture, selection);
	capture_close(capture);
	assert_non_null(copy);
	return copy;
}

static uint64_t samples_of(const struct capture_block *block)
{
	uint64_t count = block->is_part ? 0 : block->header.samples_outside;
	for (size_t i = 0; i < block->cell_count; i++)
		count += block->cells[i].count;
	return count;
}

static uint64_t calls_of(const struct capture_block *block)
{
	uint64_t count = 0;
	for (size_t i = 0; i < block->arc_count; i++)
		count += block->arcs[i].count;
	return count;
}

TEST(nothing_asked_for_selects_all)
{
	struct capture *copy = selected(&(struct capture_selection){0});
	assert_int_equal(copy->block_count, 2);
	assert_int_equal(samples_of(&copy->blocks[0]), 47);
	assert_int_equal(calls_of(&copy->blocks[0]), 16);
	assert_string_equal(copy->path, "two");
	capture_close(copy);
}

TEST(a_core_keeps_its_block_alone)
{
	struct capture *copy = selected(&(struct capture_selection){.of_core = true, .core = 1});
	assert_int_equal(copy->block_count, 1);
	assert_int_equal(copy->blocks[0].header.core, 1);
	assert_int_equal(samples_of(&copy->blocks[0]), 47);
	capture_close(copy);
}

TEST(a_context_keeps_its_samples_and_calls)
{
	struct capture *copy = selected(&(struct capture_selection){.of_context = true, .context = 1});
	assert_int_equal(samples_of(&copy->blocks[0]), 2);
	assert_int_equal(samples_of(&copy->blocks[1]), 2);
	assert_int_equal(calls_of(&copy->blocks[0]), 16);
	assert_int_equal(copy->blocks[0].contexts[0].switches, 0);
	assert_int_equal(copy->blocks[0].contexts[1].switches, 128);
	assert_int_equal(copy->blocks[0].header.samples_outside, 32); /* as a loss */
	capture_close(copy);
}

TEST(a_name_selects_where_it_is_given)
{
	struct capture *copy = selected(&(struct capture_selection){.context_name = "dsp"});
	assert_int_equal(samples_of(&copy->blocks[0]), 0);
	assert_int_equal(calls_of(&copy->blocks[0]), 0);
	assert_int_equal(samples_of(&copy->blocks[1]), 2);
	capture_close(copy);
}

TEST(a_number_and_a_name_must_both_hold)
{
	struct capture *copy =
	        selected(&(struct capture_selection){.of_context = true, .context = 0, .context_name = "dsp"});
	assert_int_equal(samples_of(&copy->blocks[1]), 0);
	capture_close(copy);
	copy = selected(&(struct capture_selection){.of_context = true, .context = 5, .context_name = ""});
	assert_int_equal(samples_of(&copy->blocks[1]), 4);
	capture_close(copy);
}

TEST(what_has_no_context_is_coarse_or_outside)
{
	struct capture *copy = selected(&(struct capture_selection){.of_context = true, .context = CAPTURE_NO_CONTEXT});
	assert_int_equal(samples_of(&copy->blocks[0]), 40);
	assert_int_equal(calls_of(&copy->blocks[0]), 0);
	capture_close(copy);
}

TEST(what_others_select_is_left_out)
{
	const struct capture_selection others[] = {
	        {.of_context = true, .context = 1, .context_name = "dsp"},
	        {.of_context = true, .context = CAPTURE_NO_CONTEXT},
	};
	struct capture *copy = selected(&(struct capture_selection){.except = others, .except_count = 2});
	assert_int_equal(samples_of(&copy->blocks[0]), 7);
	assert_int_equal(samples_of(&copy->blocks[1]), 5);
	assert_int_equal(calls_of(&copy->blocks[0]), 16);
	assert_int_equal(calls_of(&copy->blocks[1]), 0);
	capture_close(copy);
}

TEST(part_of_a_part_has_no_samples_outside)
{
	struct capture *part = selected(&(struct capture_selection){.of_context = true, .context = 1});
	const struct capture_selection others = {.of_context = true, .context = 7};
	struct capture *copy = capture_select(part, &(struct capture_selection){.except = &others, .except_count = 1});
	assert_int_equal(samples_of(&copy->blocks[0]), 2);
	capture_close(copy);
	capture_close(part);
}
