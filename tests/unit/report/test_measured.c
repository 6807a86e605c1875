/* SPDX-License-Identifier: MIT */
/* Exports of a measured profile: times are those of the stacks, and unknown calls are never numbers. */
#include "../profile/measured.h"
#include "profile/arc_sites.h"
#include "profile/lines.h"
#include "report/callgrind_calls.h"
#include "report/output.h"

#include <stdlib.h>
#include <string.h>

static struct profile *profile;
static const char *text;

/* f0 calls f1 and f2, which both call f3: 0.1 s for f1, 0.5 s for f2. f2 is recursive through f1. */
static int set_up(void **state)
{
	int result = firmware_set_up(firmware_create("measured-views", 4, 16));

	firmware_calls(0, 1, 1);
	firmware_calls(0, 2, 1);
	firmware_calls(1, 3, 1);
	firmware_calls(2, 3, 1);
	firmware_calls(2, 1, 1);
	firmware_calls(1, 2, 1);
	firmware_samples(1, 20);
	firmware_samples(2, 10);
	firmware_samples(3, 60);
	profile = firmware_run(&(struct analysis_options){.total_errors = true});
	measured_begin(profile);
	measured_stack(profile, "f0 f1", 0.2);
	measured_stack(profile, "f0 f1 f3", 0.1);
	measured_stack(profile, "f0 f2 f3", 0.3);
	measured_stack(profile, "f0 f2 f1 f2 f3", 0.2);
	measured_stack(profile, "f0 f2 f1 f2", 0.1);
	measured_end(profile);
	return result;
}

EACH_TEST(set_up, NULL);

static void export_as(const char *format)
{
	const struct output_format *const *found = output_table;
	struct printed *printed = printed_begin();

	while (*found != NULL && strcmp((*found)->name, format) != 0)
		found++;
	assert_non_null(*found);
	if ((*found)->lines)
		assert_success(analysis_find_lines(profile, &failure), &failure);
	if ((*found)->call_sites)
		assert_success(analysis_find_call_sites(profile, &failure), &failure);
	assert_success((*found)->write(profile, printed->stream, &failure), &failure);
	text = printed_text(printed);
}

static void assert_has(const char *expected)
{
	assert_contains(text, expected);
}

static void assert_has_not(const char *unexpected)
{
	if (strstr(text, unexpected) != NULL)
		fail_msg("'%s' in:\n%s", unexpected, text);
}

static struct profile_node *node(const char *name)
{
	return &profile->nodes[firmware_node(profile, name)];
}

/* --- csv. */

TEST(csv_leaves_unknown_calls_empty)
{
	node("f1")->calls = 7;
	profile->arcs[0].count = 7;
	node("f1")->estimated_child_time = 0.25;
	node("f1")->estimated_variance = 0.0001;
	node("f1")->differs_from_estimate = true;
	export_as("csv");
	assert_has(",calls,self_calls,cycle,estimated_total_seconds,estimated_total_error_seconds,"
	           "differs_from_estimate,total_is_lower_bound\n");
	assert_has("f1,,function,,,0x00008010,16,20,0.2,0.0447213595,0.6,");
	assert_has(",7,,,0.45,0.01,yes,no\n");
	assert_has("f3,,function,,,0x00008030,16,60,0.6,");
	assert_has(",,,,0.6,");
	assert_has(",no,no\n");
}

TEST(csv_has_no_estimate_without_recorded_calls)
{
	export_as("csv");
	assert_has(",differs_from_estimate,total_is_lower_bound\n");
	assert_has("0x00008010,16,20,0.2,0.0447213595,0.6,");
	assert_has(",,,,,,,no\n");
	assert_has_not(",no,no\n");
}

/* --- Call sites. */

TEST(call_sites_have_the_time_of_their_stacks_once)
{
	const size_t arc = profile_find_arc(profile, firmware_node(profile, "f2"), firmware_node(profile, "f1"));

	measured_stack(profile, "f0 f2@8023 f1 f2@8023 f1 f3", 1);
	measured_stack(profile, "f0 f2@8027 f1", 2);
	export_as("callgrind");
	for (size_t i = 0; i < profile->call_site_count; i++) {
		const struct profile_call_site *site = &profile->call_sites[i];

		assert_true(i == 0 || site->arc > site[-1].arc || site->address > site[-1].address);
		if (site->arc != arc)
			continue;
		assert_true(site->address == 0x8023 || site->address == 0x8027);
		assert_near(site->time, site->address == 0x8023 ? 1.3 : 2);
	}
}

/* --- callgrind. */

TEST(callgrind_costs_of_calls_add_up_to_total_times)
{
	struct callgrind_call *calls;
	size_t count;

	export_as("callgrind");
	assert_true(callgrind_find_calls(profile, &calls, &count));
	for (size_t i = 0; i < profile->node_count; i++) {
		double sum = 0;

		for (size_t j = 0; j < count; j++)
			sum += calls[j].caller == i ? calls[j].time : 0;
		if (!is_near(sum, profile->nodes[i].child_time))
			fail_msg("%s: %f, not %f", profile->nodes[i].name, sum, profile->nodes[i].child_time);
	}
	free(calls);
}

TEST(callgrind_never_has_a_call_that_is_counted_zero_times)
{
	export_as("callgrind");
	assert_has("desc: Calls: 1 if their number is unknown\n");
	assert_has("measured from stacks");
	assert_has("calls=1 0\n0 500000000 50\n"); /* by f2 of f3 */
	assert_has_not("calls=0");
}

TEST(callgrind_has_recorded_calls_next_to_measured_times)
{
	profile->arcs[profile_find_arc(profile, firmware_node(profile, "f0"), firmware_node(profile, "f1"))].count = 12;
	fixture.capture->blocks[0].arcs[0].count = 12;
	export_as("callgrind");
	assert_has("calls=12 0\n0 300000000 30\n");
}

/* --- dot. */

TEST(dot_draws_measured_arcs_as_others_and_without_calls)
{
	export_as("dot");
	assert_has("total times measured from stacks");
	assert_has("[label=\"55.56 %\\n\", weight=");
	assert_has_not("dotted");
	assert_has_not("call\\");
	assert_has_not(" call");
}

/* --- Names of paths. */

TEST(titles_say_that_paths_are_measured)
{
	export_as("speedscope");
	assert_has("paths as measured from stacks");
	assert_has_not("propagation");
	profile->measurement = NULL;
	export_as("speedscope");
	assert_has("paths as gprof's propagation implies");
}
