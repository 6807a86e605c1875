/* SPDX-License-Identifier: MIT */
/* Which functions an arc of addresses connects. */
#include "firmware.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int set_up(void **state)
{
	return firmware_set_up(state, firmware_create("arcs", 4, 16));
}

static void assert_arc(const struct profile *profile, const char *caller, const char *callee, uint64_t count)
{
	size_t from = firmware_node(profile, caller), to = firmware_node(profile, callee);
	for (size_t i = profile->first_arc[from]; i < profile->first_arc[from + 1]; i++) {
		if (profile->arcs[i].callee != to)
			continue;
		assert_int_equal(profile->arcs[i].caller, from);
		assert_int_equal(profile->arcs[i].count, count);
		return;
	}
	fail_msg("no arc from %s to %s", caller, callee);
}

static void a_call_that_ends_its_function_belongs_to_it(void **state)
{
	struct fixture *fixture = *state;
	const struct capture *captures[] = {fixture->capture};
	firmware_arc(fixture->capture, 0x8011, 0x8021, 3); /* returns to f1's first byte: f0 called */
	struct profile *profile = firmware_analyse(fixture->image, captures);
	assert_arc(profile, "f0", "f2", 3);
	profile_free(profile);
}

static void arcs_of_several_call_sites_add_up(void **state)
{
	struct fixture *fixture = *state;
	const struct capture *captures[] = {fixture->capture};
	firmware_arc(fixture->capture, 0x8005, 0x8021, 3);
	firmware_arc(fixture->capture, 0x8009, 0x8023, 4);
	firmware_arc(fixture->capture, 0x8005, 0x8021, 5); /* two slots may hold one arc */
	struct profile *profile = firmware_analyse(fixture->image, captures);
	assert_int_equal(profile->arc_count, 1);
	assert_arc(profile, "f0", "f2", 12);
	assert_int_equal(profile->nodes[firmware_node(profile, "f2")].calls, 12);
	profile_free(profile);
}

static void recursion_is_counted_apart(void **state)
{
	struct fixture *fixture = *state;
	const struct capture *captures[] = {fixture->capture};
	firmware_arc(fixture->capture, 0x8005, 0x8011, 1);
	firmware_arc(fixture->capture, 0x8015, 0x8011, 9);
	struct profile *profile = firmware_analyse(fixture->image, captures);
	size_t node = firmware_node(profile, "f1");
	assert_int_equal(profile->nodes[node].calls, 1);
	assert_int_equal(profile->nodes[node].self_calls, 9);
	assert_int_equal(profile->nodes[node].cycle, PROFILE_NONE);
	profile_free(profile);
}

static void hardware_callers_have_rows(void **state)
{
	struct fixture *fixture = *state;
	const struct capture *captures[] = {fixture->capture};
	firmware_arc(fixture->capture, 0xFFFFFFF9, 0x8011, 1);
	firmware_arc(fixture->capture, 0xFFFFFFED, 0x8011, 2);
	firmware_arc(fixture->capture, 0xFEFFFFFF, 0x8021, 4);
	struct profile *profile = firmware_analyse(fixture->image, captures);
	assert_arc(profile, "<exception>", "f1", 3);
	assert_arc(profile, "<secure call>", "f2", 4);
	profile_free(profile);
}

static void unknown_callers_and_callees_have_rows(void **state)
{
	struct fixture *fixture = *state;
	const struct capture *captures[] = {fixture->capture};
	firmware_arc(fixture->capture, 0x1fff0101, 0x8001, 6);
	firmware_arc(fixture->capture, 0x8005, 0x20000401, 7);
	struct profile *profile = firmware_analyse(fixture->image, captures);
	assert_arc(profile, "<unknown 0x1fff0000>", "f0", 6);
	assert_arc(profile, "f0", "<unknown 0x20000000>", 7);
	profile_free(profile);
}

static void counts_saturate_instead_of_wrapping(void **state)
{
	struct fixture *fixture = *state;
	const struct capture *captures[] = {fixture->capture};
	firmware_arc(fixture->capture, 0x8005, 0x8021, UINT64_MAX - 1);
	firmware_arc(fixture->capture, 0x8009, 0x8021, 5);
	struct profile *profile = firmware_analyse(fixture->image, captures);
	assert_arc(profile, "f0", "f2", UINT64_MAX);
	profile_free(profile);
}

/* A capture full of nonsense must not make the search for rows slow, nor lose a call. */
static void many_unknown_callers_share_a_last_row(void **state)
{
	struct fixture *fixture = *state;
	const struct capture *captures[] = {fixture->capture};
	for (unsigned i = 0; i < 4096; i++)
		firmware_arc(fixture->capture, 0x40000001 + 4096 * i, 0x8001, 1);
	struct profile *profile = firmware_analyse(fixture->image, captures);
	assert_true(profile->node_count < 1100);
	assert_int_equal(profile->nodes[firmware_node(profile, "f0")].calls, 4096);
	firmware_node(profile, "<unknown elsewhere>");
	profile_free(profile);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, firmware_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(a_call_that_ends_its_function_belongs_to_it),
	        TEST(arcs_of_several_call_sites_add_up),
	        TEST(recursion_is_counted_apart),
	        TEST(hardware_callers_have_rows),
	        TEST(unknown_callers_and_callees_have_rows),
	        TEST(counts_saturate_instead_of_wrapping),
	        TEST(many_unknown_callers_share_a_last_row),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
