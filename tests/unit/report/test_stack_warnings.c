/* SPDX-License-Identifier: MIT */
/* Warnings about cut and refused stacks, which advise on the firmware or on the probe that copied them. */
#include "../profile/measured.h"
#include "base/hint.h"
#include "capture/capture.h"
#include "profile/measurement.h"
#include "report/report.h"

#include <stdio.h>
#include <stdlib.h>

static struct profile *profile;

static int set_up(void **state)
{
	firmware_set_up(firmware_create("stack-warnings", 1, 16));
	firmware_samples(0, 10);
	profile = firmware_run(NULL);
	measured_begin(profile);
	profile->measurement->stack_count = 10;
	profile->measurement->ends[UNWIND_ROOT] = 8;
	return 0;
}

EACH_TEST(set_up, NULL);

/* Slices of a length, which must be freed with the fixture. */
static struct capture_block *give_slices(size_t size)
{
	struct capture_block *block = &fixture.capture->blocks[0];

	block->slices = calloc(1, sizeof *block->slices);
	assert_non_null(block->slices);
	block->slices[0].size = size;
	block->slice_count = 1;
	block->slice_bytes = 48;
	return block;
}

static void cut(uint64_t needed, bool is_enough)
{
	profile->measurement->ends[UNWIND_CUT] = 2;
	profile->measurement->needed = needed;
	profile->measurement->is_needed_enough = is_enough;
}

static void assert_warning(const char *expected)
{
	static const char *const hints[HINT_COUNT] = {[HINT_COPY_STACKS] = "copy that much"};
	const struct output_report_options options = {.hints = hints};
	struct printed *printed = printed_begin();
	struct report report;

	assert_success(report_begin(profile, &options, printed->stream, &report, &failure), &failure);
	report_warn_of_stacks(&report);
	report_end(&report);
	assert_contains(printed_text(printed), expected);
}

#define CUT "20 % of the stacks are cut, so total times of outer functions are too small, by up to the time of <cut>"

TEST(firmware_is_compiled_for_the_length_that_is_enough)
{
	give_slices(128);
	cut(300, true);
	assert_warning(CUT ": the longest needs 304 bytes: -DBAREPROF_STACK_BYTES=304\n");
	cut(304, false);
	assert_warning(CUT ": the longest needs 304 bytes or more: -DBAREPROF_STACK_BYTES=304\n");
}

TEST(filter_may_need_more_room_for_a_longer_stack)
{
	give_slices(128)->slices_filtered = true;
	cut(300, true);
	assert_warning(": -DBAREPROF_STACK_BYTES=304; if slices are still cut, also increase "
	               "-DBAREPROF_STACK_FILTER=48\n");
}

TEST(filter_needs_more_room_if_longer_stacks_were_examined)
{
	give_slices(512)->slices_filtered = true;
	cut(300, true);
	assert_warning(CUT ": the filter needs more room: increase -DBAREPROF_STACK_FILTER=48\n");
}

TEST(probe_copies_more_by_its_own_option)
{
	give_slices(128)->is_sampled = true;
	cut(300, true);
	assert_warning(CUT ": the longest needs 304 bytes; copy that much\n");
}

TEST(paths_are_advised_where_slices_are_too_short)
{
	give_slices(128);
	cut(0, false);
	profile->measurement->may_need_more = true;
	assert_warning(CUT ": some need more than the 32768 bytes that a slice can have: let the target count paths "
	                   "(library WITH=paths)\n");
	cut(4096, false);
	assert_warning(": -DBAREPROF_STACK_BYTES=4096; perhaps some need more than the 32768 bytes");
}

TEST(slices_are_advised_where_paths_have_too_many_calls)
{
	cut(0, false);
	profile->measurement->is_tree = true;
	assert_warning(CUT ": the target cuts paths at 64 calls; slices (library WITH=stacks) show longer paths\n");
}

TEST(unknown_length_is_not_advised)
{
	give_slices(128);
	cut(0, false);
	assert_warning(CUT "\n");
}

TEST(withheld_stacks_are_not_too_short)
{
	profile->measurement->ends[UNWIND_WITHHELD] = 2;
	assert_warning("20 % of the stacks belong to a security state that is not copied, so total times of outer "
	               "functions are too small, by up to the time of <withheld>\n");
}

TEST(bad_stacks_are_of_the_firmware_the_probe_or_another_elf)
{
	struct capture_block *block = give_slices(128);

	profile->measurement->ends[UNWIND_BAD] = 2;
	assert_warning("in the linker script");
	block->is_sampled = true;
	assert_warning("in no memory that the probe can read");
	profile->identity = PROFILE_IDENTITY_OTHER;
	assert_warning("20 % of the stacks contradict the ELF, which is of another build\n");
}
