/* SPDX-License-Identifier: MIT */
/* Which source line gets which samples. */
#include "../firmware.h"
#include "layout.h"

#include "profile/analysis.h"
#include "profile/lines.h"
#include "test.h"

#include <string.h>

static int set_up(void **state)
{
	return firmware_set_up(firmware_assemble("lines", lines_layout));
}

static struct profile *analyse(void)
{
	struct profile *profile = firmware_run(NULL);

	assert_success(analysis_find_lines(profile, &failure), &failure);
	return profile;
}

/* line 0: of no known line. */
static const struct profile_line *line_of(const struct profile *profile, const char *function, int line)
{
	for (size_t i = 0; i < profile->line_count; i++)
		if (profile->lines[i].line == line && strcmp(profile->lines[i].function, function) == 0)
			return &profile->lines[i];
	fail_msg("no line %d of %s", line, function);
	return NULL;
}

/* The lines of a function have all of its samples, and all lines together have all samples. */
static void assert_sums(const struct profile *profile)
{
	double total = 0;

	for (size_t node = 0; node < profile->node_count; node++) {
		double samples = 0, time = 0;

		for (size_t i = 0; i < profile->line_count; i++) {
			samples += profile->lines[i].node == node ? profile->lines[i].self_samples : 0;
			time += profile->lines[i].node == node ? profile->lines[i].self_time : 0;
		}
		assert_near(samples, profile->nodes[node].self_samples);
		assert_near(time, profile->nodes[node].self_time);
		total += time;
	}
	assert_near(total, profile->total_time);
}

EACH_TEST(set_up, NULL);

TEST(samples_belong_to_their_line)
{
	firmware_sample(fixture.capture, 0x8000, 0x8002, 3);
	firmware_sample(fixture.capture, 0x8002, 0x8004, 4);
	firmware_sample(fixture.capture, 0x8008, 0x800a, 5);
	struct profile *profile = analyse();
	const struct profile_line *line = line_of(profile, "f0", 10);
	assert_near(line->self_samples, 7);
	assert_near(line->self_time, 0.07);
	assert_near(line->self_variance, 7 * 0.01 * 0.01);
	assert_string_equal(line->file, "src/code.c");
	assert_false(line->is_inlined);
	assert_near(line_of(profile, "f0", 20)->self_samples, 5);
	assert_near(profile->line_samples_shared, 0);
	assert_sums(profile);
}

TEST(lines_of_a_block_share_it_by_instructions)
{
	firmware_sample(fixture.capture, 0x8000, 0x8010, 80);
	struct profile *profile = analyse();
	assert_near(line_of(profile, "f0", 10)->self_samples, 20);
	assert_near(line_of(profile, "f0", 20)->self_samples, 40);
	assert_near(line_of(profile, "f0", 30)->self_samples, 20);
	assert_near(profile->line_samples_shared, 80);
	assert_near(profile->inline_samples_shared, 0);
	/* A quarter of 80, and not in doubt: its error is a quarter of theirs. */
	assert_near(line_of(profile, "f0", 10)->self_variance, 80.0 / 16 * 1e-4);
	assert_near(line_of(profile, "f0", 10)->function_variance, 20 * 1e-4);
	assert_sums(profile);
}

TEST(bin_over_two_functions_is_divided_between_them_first)
{
	firmware_sample(fixture.capture, 0x8000, 0x8020, 64);
	struct profile *profile = analyse();
	assert_near(line_of(profile, "f0", 10)->self_samples, 8);
	assert_near(line_of(profile, "f1", 50)->self_samples, 8);
	assert_near(line_of(profile, "f1", 0)->self_samples, 24);
	assert_null(line_of(profile, "f1", 0)->file);
	assert_near(profile->line_samples_shared, 64);
	assert_near(profile->inline_samples_shared, 64);
	assert_sums(profile);
}

TEST(samples_of_no_code_have_no_line)
{
	firmware_sample(fixture.capture, 0x8024, 0x8028, 2);
	firmware_sample(fixture.capture, 0x1fff1234, 0x1fff1236, 5);
	struct profile *profile = analyse();
	assert_near(line_of(profile, "f2", 0)->self_samples, 2);
	assert_near(line_of(profile, "<unknown 0x1fff1000>", 0)->self_samples, 5);
	assert_sums(profile);
}

TEST(calls_belong_to_the_line_where_the_function_begins)
{
	firmware_arc(fixture.capture, 0x8015, 0x8001, 7);
	firmware_arc(fixture.capture, 0x8015, 0x8021, 9);
	firmware_sample(fixture.capture, 0x8000, 0x8002, 1);
	struct profile *profile = analyse();
	assert_int_equal(line_of(profile, "f0", 10)->calls, 7);
	assert_near(line_of(profile, "f0", 10)->self_samples, 1);
	assert_int_equal(line_of(profile, "f2", 0)->calls, 9);
	assert_sums(profile);
}

/* The firmware of the demo, which the compiler inlines, with a different count in each bin of its code. */
TEST(lines_add_up_in_real_firmware)
{
	static const char *const paths[] = {"build/firmware/mps2-an385/demo.elf",
	                                    "build/firmware/qemu-virt-rv32/demo.elf"};
	static const unsigned sizes[] = {2, 6, 64};

	for (size_t i = 0; i < sizeof paths / sizeof *paths * 3; i++) {
		struct image *image = firmware_open(paths[i / 3]);
		const struct image_function *last = &image->functions[image->function_count - 1];
		struct capture *capture = firmware_capture((last->end - image->functions[0].start) / 2 + 1, 1);

		assert_true(image_symbol(image, "bareprof_block", &capture->blocks[0].header.block_address));
		for (uint64_t at = image->functions[0].start; at < last->end; at += sizes[i % 3])
			firmware_sample(capture, at, at + sizes[i % 3], at % 97);
		fixture = (struct fixture){.image = image, .capture = capture, .captures = {capture}};
		struct profile *profile = analyse();
		double inlined = 0;
		for (size_t j = 0; j < profile->line_count; j++)
			inlined += profile->lines[j].is_inlined ? profile->lines[j].self_time : 0;
		assert_sums(profile);
		assert_true(inlined > 0 && inlined < profile->total_time);
		/* No instruction is of two functions, nor are two bytes. */
		assert_true((profile->inline_samples_shared > 0) == (sizes[i % 3] > 2));
		assert_true(profile->inline_samples_shared <= profile->line_samples_shared);
	}
}
