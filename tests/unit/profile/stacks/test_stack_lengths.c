/* SPDX-License-Identifier: MIT */
/* The length that cut slices need, from other slices and from symbols. */
#include "../firmware.h"
#include "profile/analysis.h"
#include "profile/measurement.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

#define TOP    0x20001000u /* the stack pointer that reset calls outer with */
#define OTHER  0x20002000u /* start of another stack, above it */
#define OUTER  8u
#define INNER  64u
#define SLICES 8u

/* reset calls outer, which calls inner, which calls itself and leaf. */
#define SOURCE                                                                                                 \
	"\t.syntax unified\n\t.thumb\n\t.cfi_sections .debug_frame\n\t.text\n"                                 \
	"\t.macro function name\n\t.global \\name\n\t.type \\name, %function\n\\name:\n\t.endm\n"              \
	"\tfunction reset\n\tbl outer\nin_reset:\n\tb .\n\t.size reset, . - reset\n"                           \
	"\tfunction outer\n\t.cfi_startproc\n\tpush {r3, lr}\n\t.cfi_def_cfa_offset 8\n\t.cfi_offset 14, -4\n" \
	"\tbl inner\nin_outer:\n\tpop {r3, pc}\n\t.cfi_endproc\n\t.size outer, . - outer\n"                    \
	"\tfunction inner\n\t.cfi_startproc\n\tpush {r4, lr}\n\t.cfi_def_cfa_offset 8\n\t.cfi_offset 14, -4\n" \
	"\tsub sp, #56\n\t.cfi_def_cfa_offset 64\n\tbl inner\nin_inner:\n\tbl leaf\nat_leaf:\n\tadd sp, #56\n" \
	"\tpop {r4, pc}\n\t.cfi_endproc\n\t.size inner, . - inner\n"                                           \
	"\tfunction leaf\n\t.cfi_startproc\n\tbx lr\n\t.cfi_endproc\n\t.size leaf, . - leaf\n"                 \
	"\t.global in_reset, in_outer, in_inner, at_leaf\n"

static uint8_t memory[SLICES][1024];
static unsigned slice_count; /* in all blocks */

static uint64_t at(const char *symbol)
{
	uint64_t address;

	if (!image_symbol(fixture.image, symbol, &address))
		fail_msg("no %s", symbol);
	return address;
}

static struct capture_block *block; /* that slices are added to */

static void give_slices(struct capture_block *taker)
{
	block = taker;
	block->ranges[0] = (struct capture_range){FIRMWARE_BASE, FIRMWARE_BASE + 0x100};
	block->range_count = 1;
	block->has_stack_totals = true;
	block->slices = calloc(SLICES, sizeof *block->slices);
	assert_non_null(block->slices);
}

static void begin(const char *symbols)
{
	char source[2048];

	snprintf(source, sizeof source, "%s%s", SOURCE, symbols);
	firmware_set_up(firmware_assemble("stack-lengths", source));
	give_slices(&fixture.capture->blocks[0]);
	slice_count = 0;
	firmware_sample(fixture.capture, at("leaf"), at("leaf") + 2, 100);
}

static int set_up(void **state)
{
	begin("");
	return 0;
}

EACH_TEST(set_up, NULL);

static void put(uint8_t *stack, unsigned offset, uint64_t value)
{
	for (unsigned i = 0; i < 4; i++)
		stack[offset + i] = (uint8_t)(value >> 8 * i);
}

/* A slice from leaf, with inner so many times on the stack that begins at top, and no more than size bytes. */
static struct capture_slice *add_slice(uint64_t top, unsigned depth, size_t size)
{
	uint8_t *stack = memory[slice_count];
	const unsigned whole = OUTER + INNER * depth;

	assert_true(slice_count < SLICES && whole <= sizeof memory[0]);
	for (unsigned i = 1; i < depth; i++)
		put(stack, INNER * i - 4, at("in_inner") + 1);
	put(stack, whole - OUTER - 4, at("in_outer") + 1);
	put(stack, whole - 4, at("in_reset") + 1);
	block->slices[block->slice_count] = (struct capture_slice){
	        .number = ++slice_count,
	        .context = CAPTURE_NO_CONTEXT,
	        .pc = at("leaf"),
	        .lr = at("at_leaf") + 1,
	        .sp = top - whole,
	        .weight = 65536,
	        .size = size < whole ? size : whole,
	        .bytes = stack,
	};
	return &block->slices[block->slice_count++];
}

static const struct profile *profile; /* the last one */

static void assert_needed_by(const struct capture *const *captures, size_t count, uint64_t needed, bool is_enough)
{
	profile = firmware_run_captures(captures, count, NULL);
	assert_non_null(profile->measurement);
	assert_true(profile->measurement->ends[UNWIND_CUT] > 0);
	assert_int_equal(profile->measurement->needed, needed);
	assert_int_equal(profile->measurement->is_needed_enough, is_enough);
	if (is_enough)
		assert_false(profile->measurement->may_need_more);
}

static void assert_needed(uint64_t needed, bool is_enough)
{
	assert_needed_by(fixture.captures, 1, needed, is_enough);
}

TEST(cut_slice_needs_what_the_next_frame_needs_at_least)
{
	add_slice(TOP, 3, 80);
	assert_needed(2 * INNER, false);
}

TEST(cut_slice_needs_all_up_to_the_root_of_complete_ones)
{
	add_slice(TOP, 1, 512);
	add_slice(TOP, 3, 80);
	add_slice(TOP, 2, 16);
	assert_needed(OUTER + 3 * INNER, true);
}

TEST(cut_slice_needs_no_more_than_its_own_stack)
{
	add_slice(OTHER, 1, 512);
	add_slice(TOP, 1, 512);
	add_slice(TOP, 2, 80);
	assert_needed(OUTER + 2 * INNER, true);
}

TEST(cut_slice_may_need_more_than_slices_of_lower_stacks)
{
	add_slice(TOP, 1, 512);
	add_slice(OTHER, 2, 80);
	assert_needed(2 * INNER, false);
}

/* Another slice ends where the stack ends. */
TEST(whole_slice_shows_the_end_of_its_stack)
{
	struct capture_slice *whole = add_slice(TOP, 1, 8);

	whole->is_whole = true;
	add_slice(TOP, 3, 80);
	assert_needed(OUTER + 3 * INNER - (OUTER + INNER) + 8, true);
}

TEST(end_of_the_main_stack_limits_the_length)
{
	begin("\t.global bareprof_stack_end\n\t.set bareprof_stack_end, 0x20001010\n");
	add_slice(TOP, 3, 80);
	assert_needed(OUTER + 3 * INNER + 16, true);
}

TEST(length_that_slices_cannot_have_is_not_needed)
{
	add_slice(TOP + 0x10000, 1, 512);
	add_slice(TOP, 3, 80);
	assert_needed(2 * INNER, false);
	assert_true(profile->measurement->may_need_more);
}

/* A frame of 40,000 bytes. */
TEST(no_slice_is_long_enough_for_a_huge_frame)
{
	begin("\tfunction huge\n\t.cfi_startproc\n\t.cfi_def_cfa_offset 40000\n\t.cfi_offset 14, -4\n\tnop\n"
	      "\t.cfi_endproc\n\t.size huge, . - huge\n\t.global huge\n");
	add_slice(TOP, 3, 80)->pc = at("huge");
	assert_needed(0, false);
	assert_true(profile->measurement->may_need_more);
}

TEST(stack_of_another_core_shows_no_end)
{
	struct capture *other = firmware_capture(1, 0);

	add_slice(TOP, 3, 80);
	give_slices(&other->blocks[0]);
	add_slice(TOP, 1, 512);
	const struct capture *captures[] = {fixture.capture, other};
	fixture.capture->blocks[0].header.core = other->blocks[0].header.core = 1;
	assert_needed_by(captures, 2, OUTER + 3 * INNER, true);
	other->blocks[0].header.core = 0;
	assert_needed_by(captures, 2, 2 * INNER, false);
}

TEST(cut_slice_at_the_end_of_memory_is_bounded)
{
	struct capture_slice *slice = add_slice(TOP, 3, 80);

	slice->sp = UINT64_MAX - 3;
	firmware_run(NULL);
	slice->sp = UINT32_MAX - 3;
	firmware_run(NULL);
}
