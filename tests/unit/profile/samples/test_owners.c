/* SPDX-License-Identifier: MIT */
/* Functions that count as one: clones, and the extents of a function whose inlined code was split off. */
#include "../firmware.h"
#include "profile/analysis.h"
#include "profile/split.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FUNCTIONS 6u
#define SIZE      16u
#define BOOT_ROM  0x1FFF0101u

static int set_up(void **state)
{
	return firmware_set_up(firmware_create("owners", FUNCTIONS, SIZE));
}

/* f2 is a clone of f1, f5 one of f3. */
static const size_t owners[FUNCTIONS] = {0, 1, 1, 3, 4, 3};

static struct profile *analyse_clones(void)
{
	return firmware_run(&(struct analysis_options){.owners = owners, .total_errors = true});
}

static const struct profile_arc *find_arc(const struct profile *profile, size_t caller, size_t callee)
{
	size_t arc = profile_find_arc(profile, caller, callee);

	return arc == PROFILE_NONE ? NULL : &profile->arcs[arc];
}

EACH_TEST(set_up, NULL);

TEST(samples_of_clones_belong_to_one_node)
{
	firmware_sample(fixture.capture, firmware_start_of(1), firmware_start_of(2), 30);
	firmware_sample(fixture.capture, firmware_start_of(2), firmware_start_of(3), 40);
	struct profile *profile = analyse_clones();
	assert_near(profile->nodes[1].self_samples, 70);
	assert_true(profile->nodes[2].self_samples <= 0);
	assert_string_equal(profile->nodes[2].name, "f2");
	assert_int_equal(profile->nodes[2].address, firmware_start_of(2));
}

TEST(bin_across_two_clones_is_not_shared)
{
	firmware_sample(fixture.capture, firmware_start_of(1) + 8, firmware_start_of(2) + 8, 120);
	struct profile *profile = analyse_clones();
	assert_near(profile->nodes[1].self_samples, 120);
	assert_near(profile->nodes[1].self_variance, 120 * 1e-4);
	assert_int_equal(profile->losses.samples_shared, 0);
}

/* The variance of samples in a bin with several owners: all may be in any of its blocks, or as expected.
 */
static double variance_of_share(double samples, double fraction)
{
	double doubt = fraction * (1 - fraction) * (samples * samples / 2 - samples);

	return (samples * fraction + doubt) * 1e-4;
}

/* f1 or its clone certainly ran, f3 perhaps. The same where f3 is between f4 and its own clone. */
TEST(uncertainty_about_a_bin_is_between_owners)
{
	for (unsigned i = 1; i < 6; i++)
		firmware_calls(0, i, 1);
	firmware_sample(fixture.capture, firmware_start_of(1), firmware_start_of(4), 99);
	struct profile *profile = analyse_clones();
	assert_near(profile->nodes[1].self_samples, 66);
	assert_near(profile->nodes[1].self_variance, variance_of_share(99, 2.0 / 3));
	assert_near(profile->nodes[3].self_variance, variance_of_share(99, 1.0 / 3));
	assert_int_equal(profile->losses.samples_shared, 99);

	fixture.capture->blocks[0].cell_count = 0;
	firmware_sample(fixture.capture, firmware_start_of(3), firmware_start_of(6), 99);
	profile = analyse_clones();
	assert_near(profile->nodes[3].self_samples, 66);
	assert_near(profile->nodes[3].self_variance, variance_of_share(99, 2.0 / 3));
	assert_near(profile->nodes[4].self_variance, variance_of_share(99, 1.0 / 3));
}

TEST(arcs_belong_to_owners)
{
	firmware_calls(0, 1, 3);
	firmware_calls(0, 2, 4);
	firmware_calls(2, 4, 9);
	struct profile *profile = analyse_clones();
	assert_int_equal(profile->arc_count, 2);
	assert_int_equal(find_arc(profile, 0, 1)->count, 7);
	assert_int_equal(find_arc(profile, 1, 4)->count, 9);
	assert_int_equal(profile->nodes[1].calls, 7);
}

TEST(calls_between_clones_are_recursion)
{
	firmware_calls(0, 1, 3);
	firmware_calls(1, 2, 5);
	firmware_calls(2, 1, 6);
	struct profile *profile = analyse_clones();
	assert_int_equal(profile->cycle_count, 0);
	assert_int_equal(profile->nodes[1].calls, 3);
	assert_int_equal(profile->nodes[1].self_calls, 11);
}

TEST(parts_have_the_owners_of_the_whole)
{
	const struct analysis_options options = {.owners = owners};

	firmware_sample(fixture.capture, firmware_start_of(2), firmware_start_of(3), 40);
	fixture.capture->blocks[0].cells[0].context = 3;
	struct profile *profile = firmware_run(&options);
	assert_success(analysis_split(profile, ANALYSIS_BY_CONTEXT, &options, &failure), &failure);
	assert_int_equal(profile->part_count, 1);
	assert_near(profile->parts[0].profile->nodes[1].self_samples, 40);
}

TEST(times_are_in_samples_on_request)
{
	firmware_sample(fixture.capture, firmware_start_of(1), firmware_start_of(2), 30);
	struct profile *profile = firmware_run(&(struct analysis_options){.in_samples = true});
	assert_int_equal(profile->time_unit, PROFILE_SAMPLES);
	assert_near(profile->nodes[1].self_time, 30);
}

static const char calling[] = "\t.syntax unified\n\t.text\n"
                              "\t.global f0\n\t.type f0, %function\n\t.thumb_func\nf0:\tbl f2\n\tbl f3\n\t.size f0, 8\n"
                              "\t.global f1\n\t.type f1, %function\n\t.thumb_func\nf1:\tbx lr\n\t.size f1, 2\n"
                              "\t.global f2\n\t.type f2, %function\n\t.thumb_func\nf2:\tbl f3\n\t.size f2, 4\n"
                              "\t.global f3\n\t.type f3, %function\n\t.thumb_func\nf3:\tbx lr\n\t.size f3, 2\n";

static int set_up_calling(void **state)
{
	return firmware_set_up(firmware_assemble("owners-calling", calling));
}

TEST_WITH(static_calls_belong_to_owners, set_up_calling, NULL)
{
	static const size_t clones[] = {0, 1, 1, 3};
	struct profile *profile = firmware_run(&(struct analysis_options){.owners = clones, .static_calls = true});

	assert_int_equal(profile->arc_count, 3);
	assert_true(find_arc(profile, 0, 1)->is_static);
	assert_true(find_arc(profile, 0, 3)->is_static);
	assert_true(find_arc(profile, 1, 3)->is_static);
}

/* --- Code that was inlined. */

static int set_up_inlined(void **state)
{
	char path[256], command[1024];

	snprintf(path, sizeof path, "%s/unit/owners-inlined.elf", getenv("BUILD"));
	snprintf(command, sizeof command,
	         "arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -g -O2 -nostdlib -Wl,-e,outer -Wl,-Ttext=%#x "
	         "tests/unit/firmware/firmware/nested_inlining.c -o %s",
	         FIRMWARE_BASE, path);
	return system(command) != 0 ? -1 : firmware_set_up(firmware_open(path));
}

static uint64_t start_of_named(const struct image *image, const char *name)
{
	for (size_t i = 0; i < image->function_count; i++)
		if (strcmp(image->functions[i].name, name) == 0)
			return image->functions[i].start;
	fail_msg("no function %s", name);
	return 0;
}

/* Each instruction has as many samples as there are bytes before it; outer calls one and two, and a boot
 * ROM two. */
static void record(void)
{
	const struct image *image = fixture.image;
	uint64_t outer = start_of_named(image, "outer");
	uint64_t one = start_of_named(image, "one");
	uint64_t two = start_of_named(image, "two");
	const struct image_function *last = &image->functions[image->function_count - 1];

	for (uint64_t address = FIRMWARE_BASE; address < last->end; address += 2)
		firmware_sample(fixture.capture, address, address + 2, address - FIRMWARE_BASE);
	/* The hook of a function is called from within it, here from what was inlined there. */
	firmware_arc(fixture.capture, outer + 0x09, one + 1, 2);
	firmware_arc(fixture.capture, outer + 0x11, two + 7, 6);
	firmware_arc(fixture.capture, BOOT_ROM, two + 7, 3);
}

/* The profile with inlined code split off, in which the extents of each function are one. */
static struct profile *analyse_split(size_t **extents)
{
	static const char *const names[] = {"leaf", "middle", "wrapper"};
	struct image *image = fixture.image;

	assert_success(image_split_inlined(image, names, sizeof names / sizeof *names, &failure), &failure);
	*extents = release_later(calloc(image->function_count, sizeof **extents), free);
	assert_non_null(*extents);
	for (size_t i = 0; i < image->function_count; i++)
		(*extents)[i] = image->functions[i].first;
	return firmware_run(&(struct analysis_options){.owners = *extents, .total_errors = true});
}

TEST_WITH(splitting_inlined_code_preserves_totals, set_up_inlined, NULL)
{
	static const char *const names[] = {"outer", "one", "two"};
	size_t *extents;

	record();
	struct profile *plain = firmware_run(&(struct analysis_options){.total_errors = true});
	double totals[3], selves[3], variances[3];
	for (size_t i = 0; i < 3; i++) {
		const struct profile_node *node = &plain->nodes[firmware_node(plain, names[i])];

		totals[i] = profile_node_total(node);
		selves[i] = node->self_time;
		variances[i] = node->total_variance;
	}
	struct profile *profile = analyse_split(&extents);
	for (size_t i = 0; i < 3; i++) {
		const struct profile_node *node = &profile->nodes[firmware_node(profile, names[i])];

		assert_near(profile_node_total(node), totals[i]);
		assert_true(i == 0 || node->self_time < selves[i]);
		assert_true(fabs(node->total_variance / variances[i] - 1) < 0.5);
	}
}

/* Samples in the extents of a function, from how record() made them. */
static double samples_of(const struct image *image, size_t first)
{
	double samples = 0;

	for (size_t i = 0; i < image->function_count; i++)
		for (uint64_t address = image->functions[i].start; address < image->functions[i].end; address += 2)
			samples += image->functions[i].first == first ? (double)(address - FIRMWARE_BASE) : 0;
	return samples;
}

TEST_WITH(split_function_has_its_samples_and_its_container_as_caller, set_up_inlined, NULL)
{
	size_t *extents, inlined = 0;

	record();
	struct profile *profile = analyse_split(&extents);
	const struct image *image = fixture.image;
	for (size_t i = 0; i < image->function_count; i++) {
		if (image->functions[i].first != i)
			continue;
		assert_near(profile->nodes[i].self_samples, samples_of(image, i));
		if (image->functions[i].inlined_into == IMAGE_NOT_INLINED)
			continue;
		const struct profile_arc *arc = find_arc(profile, image->functions[i].inlined_into, i);
		assert_non_null(arc);
		assert_true(arc->is_inlined);
		assert_int_equal(profile->first_parent[i + 1] - profile->first_parent[i], 1);
		assert_near(arc->self_time + arc->child_time, profile_node_total(&profile->nodes[i]));
		inlined++;
	}
	assert_int_equal(inlined, 6);
}

TEST_WITH(calls_belong_to_the_function_around_inlined_code, set_up_inlined, NULL)
{
	size_t *extents;

	record();
	struct profile *profile = analyse_split(&extents);
	size_t two = firmware_node(profile, "two");
	uint64_t hook = profile->nodes[two].address + 6;
	assert_string_equal(image_function_at(fixture.image, hook)->name, "leaf");
	assert_int_equal(profile->nodes[two].calls, 9);
	assert_int_equal(find_arc(profile, firmware_node(profile, "outer"), two)->count, 6);
}

/* Owners may give an inlined function to the function that contains it, or to another one that was also called. */
TEST_WITH(the_owner_of_an_inlined_function_may_be_another, set_up_inlined, NULL)
{
	size_t *extents;

	record();
	struct profile *profile = analyse_split(&extents);
	size_t one = firmware_node(profile, "one"), two = firmware_node(profile, "two"), leaf = two;
	while (profile->image->functions[leaf].inlined_into != two)
		leaf++;
	extents[leaf] = two;
	profile = firmware_run(&(struct analysis_options){.owners = extents});
	assert_int_equal(profile->nodes[two].self_calls, 0);
	assert_null(find_arc(profile, two, two));
	firmware_arc(fixture.capture, start_of_named(fixture.image, "two") + 3,
	             start_of_named(fixture.image, "one") + 1, 4);
	extents[leaf] = one;
	profile = firmware_run(&(struct analysis_options){.owners = extents});
	assert_true(find_arc(profile, two, one)->is_inlined);
}

/* Branches within a function lead to what was inlined into it, and from there. */
TEST_WITH(splitting_inlined_code_adds_no_static_calls, set_up_inlined, NULL)
{
	size_t *extents, called = 0;

	analyse_split(&extents);
	struct profile *profile = firmware_run(&(struct analysis_options){.owners = extents, .static_calls = true});
	for (size_t i = 0; i < profile->arc_count; i++) {
		const struct profile_arc *arc = &profile->arcs[i];

		assert_true(arc->is_static != arc->is_inlined);
		called += arc->is_static;
	}
	assert_int_equal(called, 2);
	assert_non_null(find_arc(profile, firmware_node(profile, "outer"), firmware_node(profile, "one")));
	assert_non_null(find_arc(profile, firmware_node(profile, "outer"), firmware_node(profile, "two")));
}

TEST_WITH(without_owners_split_functions_have_no_callers, set_up_inlined, NULL)
{
	size_t *extents;

	analyse_split(&extents);
	struct profile *profile = firmware_run(NULL);
	assert_int_equal(profile->arc_count, 0);
}
