/* SPDX-License-Identifier: MIT */
/* Which function gets which samples. */
#include "../firmware.h"
#include "test.h"

#include <math.h>

/* f0 at 0x8000 of 4 bytes, 4 bytes of padding, f1 at 0x8008 of 8 bytes, then 16 bytes without a symbol, then the
 * recorder's code at 0x8020. */
static const char layout[] =
        "\t.syntax unified\n\t.text\n"
        "\t.global f0\n\t.type f0, %function\n\t.thumb_func\nf0:\tnop\n\tnop\n\t.size f0, 4\n"
        "\t.space 4\n"
        "\t.global f1\n\t.type f1, %function\n\t.thumb_func\nf1:\t.rept 4\n\tnop\n\t.endr\n\t.size f1, 8\n"
        "\t.space 16\n"
        "\t.global bareprof_code_start\nbareprof_code_start:\n"
        "\t.global recorder\n\t.type recorder, %function\n\t.thumb_func\nrecorder:\t.rept 8\n\tnop\n\t.endr\n"
        "\t.size recorder, 16\n\t.global bareprof_code_end\nbareprof_code_end:\n";

static int set_up(void **state)
{
	return firmware_set_up(firmware_assemble("samples", layout));
}

static void assert_samples(const struct profile *profile, const char *name, double expected)
{
	double found = profile->nodes[firmware_node(profile, name)].self_samples;

	if (!is_near(found, expected))
		fail_msg("%s: %f samples, expected %f", name, found, expected);
}

EACH_TEST(set_up, NULL);

TEST(bin_over_two_functions_is_divided_by_bytes)
{
	firmware_sample(fixture.capture, 0x8000, 0x8010, 120);
	struct profile *profile = firmware_run(NULL);
	assert_samples(profile, "f0", 40);
	assert_samples(profile, "f1", 80);
	assert_near(profile->total_time, 1.2);
}

TEST(shared_bin_is_counted_and_uncertain)
{
	firmware_sample(fixture.capture, 0x8000, 0x8010, 120);
	firmware_sample(fixture.capture, 0x8008, 0x800c, 30);
	struct profile *profile = firmware_run(NULL);
	/* Half of the variance that all 120 would have in f0 with a chance of 1/3, and the counting's 40, without
	 * those of a share of all samples. */
	double variance = profile->nodes[firmware_node(profile, "f0")].self_variance;
	assert_int_equal(profile->losses.samples_shared, 120);
	assert_near(variance, ((120.0 * 120.0 / 2 - 120) * 2 / 9 + 40) * 0.01 * 0.01);
}

TEST(padding_gets_no_time)
{
	firmware_sample(fixture.capture, 0x8000, 0x8008, 10);
	struct profile *profile = firmware_run(NULL);
	assert_samples(profile, "f0", 10);
}

TEST(samples_in_code_without_a_symbol_have_a_row)
{
	firmware_sample(fixture.capture, 0x8010, 0x8012, 3);
	firmware_sample(fixture.capture, 0x8018, 0x801a, 4);
	firmware_sample(fixture.capture, 0x1fff1234, 0x1fff1236, 5);
	struct profile *profile = firmware_run(NULL);
	assert_samples(profile, "<unknown 0x00008010>", 7);
	assert_samples(profile, "<unknown 0x1fff1000>", 5);
}

TEST(the_recorder_is_one_row_of_the_total)
{
	firmware_sample(fixture.capture, 0x8024, 0x8026, 9);
	fixture.capture->blocks[0].header.samples_outside = 2;
	struct profile *profile = firmware_run(NULL);
	assert_samples(profile, "<bareprof>", 9);
	assert_samples(profile, "<outside the sampled ranges>", 2);
	assert_samples(profile, "recorder", 0);
	assert_near(profile->total_samples, 11);
	assert_near(profile_recorder_time(profile), 0.09);
}

TEST(the_error_of_self_time_is_the_root_of_the_samples)
{
	firmware_sample(fixture.capture, 0x8008, 0x800c, 400);
	struct profile *profile = firmware_run(NULL);
	double variance = profile->nodes[firmware_node(profile, "f1")].self_variance;
	assert_near(sqrt(variance), 0.20);
}

TEST(without_a_clock_times_are_samples)
{
	firmware_sample(fixture.capture, 0x8008, 0x800c, 7);
	fixture.capture->blocks[0].header.clock_hz = 0;
	struct profile *profile = firmware_run(NULL);
	assert_int_equal(profile->time_unit, PROFILE_SAMPLES);
	assert_near(profile->total_time, 7);
}

TEST(coarse_bin_is_a_row_of_its_own)
{
	firmware_sample(fixture.capture, 0x8000, 0x8010, 120);
	fixture.capture->blocks[0].cells[0].is_coarse = true;
	firmware_sample(fixture.capture, 0x8010, 0x8020, 30);
	fixture.capture->blocks[0].cells[1].is_coarse = true;
	struct profile *profile = firmware_run(NULL);
	assert_samples(profile, "<0x8000-0x800f, table full>", 120);
	assert_samples(profile, "<0x8010-0x801f, table full>", 30);
	assert_samples(profile, "f0", 0);
	assert_int_equal(profile->losses.samples_shared, 0);
	assert_near(profile->total_samples, 150);
}

/* Each new row is looked for among those before. */
TEST(very_many_coarse_bins_share_a_row)
{
	for (unsigned i = 0; i < 4000; i++) {
		firmware_sample(fixture.capture, 0x100000 + i * 16, 0x100010 + i * 16, 1);
		fixture.capture->blocks[0].cells[i].is_coarse = true;
	}
	firmware_sample(fixture.capture, 0x100000, 0x100010, 1);
	fixture.capture->blocks[0].cells[4000].is_coarse = true;
	struct profile *profile = firmware_run(NULL);
	assert_true(profile->node_count < 1100);
	assert_samples(profile, "<0x100000-0x10000f, table full>", 2);
	assert_true(profile->nodes[firmware_node(profile, "<elsewhere, table full>")].self_samples > 2900);
	assert_near(profile->total_samples, 4001);
}

TEST(secure_world_has_a_row)
{
	firmware_sample(fixture.capture, 0xFEFFFFF0, 0xFF000000, 6);
	firmware_sample(fixture.capture, 0xFEFFFFE0, 0xFEFFFFF0, 1);
	struct profile *profile = firmware_run(NULL);
	assert_samples(profile, "<secure>", 6);
	assert_samples(profile, "<unknown 0xfefff000>", 1);
}
