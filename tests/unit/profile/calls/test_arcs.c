/* SPDX-License-Identifier: MIT */
/* Which functions an arc of addresses connects. */
#include "../firmware.h"

#include "profile/analysis.h"
#include "profile/split.h"
#include "test.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static int set_up(void **state)
{
	return firmware_set_up(firmware_create("arcs", 4, 16));
}

static void assert_arc(const struct profile *profile, const char *caller, const char *callee, uint64_t count)
{
	const struct profile_arc *arc = firmware_arc_of(profile, caller, callee);

	assert_non_null(arc);
	assert_int_equal(arc->count, count);
}

EACH_TEST(set_up, NULL);

TEST(call_at_the_end_of_a_function_belongs_to_it)
{
	firmware_arc(fixture.capture, 0x8011, 0x8021, 3); /* returns to f1's first byte: f0 called */
	struct profile *profile = firmware_run(NULL);
	assert_arc(profile, "f0", "f2", 3);
}

TEST(arcs_of_several_call_sites_add_up)
{
	firmware_arc(fixture.capture, 0x8005, 0x8021, 3);
	firmware_arc(fixture.capture, 0x8009, 0x8023, 4);
	firmware_arc(fixture.capture, 0x8005, 0x8021, 5); /* two slots may hold one arc */
	struct profile *profile = firmware_run(NULL);
	assert_int_equal(profile->arc_count, 1);
	assert_arc(profile, "f0", "f2", 12);
	assert_int_equal(profile->nodes[firmware_node(profile, "f2")].calls, 12);
}

TEST(recursion_is_counted_separately)
{
	firmware_arc(fixture.capture, 0x8005, 0x8011, 1);
	firmware_arc(fixture.capture, 0x8015, 0x8011, 9);
	struct profile *profile = firmware_run(NULL);
	size_t node = firmware_node(profile, "f1");
	assert_int_equal(profile->nodes[node].calls, 1);
	assert_int_equal(profile->nodes[node].self_calls, 9);
	assert_int_equal(profile->nodes[node].cycle, PROFILE_NONE);
}

TEST(hardware_callers_have_rows)
{
	firmware_arc(fixture.capture, 0xFFFFFFF9, 0x8011, 1);
	firmware_arc(fixture.capture, 0xFFFFFFED, 0x8011, 2);
	firmware_arc(fixture.capture, 0xFEFFFFFF, 0x8021, 4);
	struct profile *profile = firmware_run(NULL);
	assert_arc(profile, "<exception>", "f1", 3);
	assert_arc(profile, "<secure call>", "f2", 4);
}

TEST(unknown_callers_and_callees_have_rows)
{
	firmware_arc(fixture.capture, 0x1fff0101, 0x8001, 6);
	firmware_arc(fixture.capture, 0x8005, 0x20000401, 7);
	struct profile *profile = firmware_run(NULL);
	assert_arc(profile, "<unknown 0x1fff0000>", "f0", 6);
	assert_arc(profile, "f0", "<unknown 0x20000000>", 7);
}

TEST(counts_saturate_instead_of_wrapping)
{
	firmware_arc(fixture.capture, 0x8005, 0x8021, UINT64_MAX - 1);
	firmware_arc(fixture.capture, 0x8009, 0x8021, 5);
	struct profile *profile = firmware_run(NULL);
	assert_arc(profile, "f0", "f2", UINT64_MAX);
}

/* A capture full of nonsense must not make the search for rows slow, nor lose a call. */
TEST(many_unknown_callers_share_the_last_row)
{
	for (unsigned i = 0; i < 4096; i++)
		firmware_arc(fixture.capture, 0x40000001 + 4096 * i, 0x8001, 1);
	struct profile *profile = firmware_run(NULL);
	assert_true(profile->node_count < 1100);
	assert_int_equal(profile->nodes[firmware_node(profile, "f0")].calls, 4096);
	firmware_node(profile, "<unknown elsewhere>");
}

/* --- Code that says who called. Functions of 16 bytes from 0x8000 on. */

#define FUNCTION(name, body)                                                                               \
	"\t.balign 16\n\t.global " name "\n\t.type " name ", %function\n\t.thumb_func\n" name ":\n\t" body \
	"\n\t.size " name ", . - " name "\n"

static int set_up_tasks(void **state)
{
	static const char source[] = "\t.syntax unified\n\t.text\n" FUNCTION("main", "bl work\n\tbl jumper\n\tbl work")
	        FUNCTION("enable", ".rept 7\n\tnop\n\t.endr\n\tbx lr") FUNCTION("task_exit", "b .")
	                FUNCTION("work", "bx lr") FUNCTION("jumper", "b.w step") FUNCTION("step", "bx lr")
	                        FUNCTION("task", "bl work");

	return firmware_set_up(firmware_assemble("arcs-tasks", source));
}

#define MAIN      0x8000u
#define TASK_EXIT 0x8020u
#define WORK      0x8030u
#define STEP      0x8050u
#define TASK      0x8060u

TEST_WITH(a_task_is_not_called_by_what_is_before_its_exit_handler, set_up_tasks, NULL)
{
	firmware_arc(fixture.capture, TASK_EXIT + 1, TASK + 1, 2);
	firmware_arc(fixture.capture, 0, TASK + 1, 3);
	firmware_arc(fixture.capture, TASK + 5, WORK + 1, 7);
	firmware_sample(fixture.capture, WORK, WORK + 2, 100);
	struct profile *profile = firmware_run(NULL);
	const struct profile_node *enable = &profile->nodes[firmware_node(profile, "enable")];
	assert_arc(profile, "<task entry>", "task", 5);
	assert_arc(profile, "task", "work", 7);
	assert_int_equal(profile->arc_count, 2);
	assert_true(enable->child_time <= 0);
	assert_int_equal(profile->nodes[firmware_node(profile, "<task entry>")].kind, PROFILE_TASK_ENTRY);
}

TEST_WITH(call_to_another_function_makes_the_caller_unknown, set_up_tasks, NULL)
{
	firmware_arc(fixture.capture, MAIN + 5, STEP + 1, 4); /* after the call of work */
	firmware_arc(fixture.capture, MAIN + 3, WORK + 1, 1); /* in the middle of that call */
	struct profile *profile = firmware_run(NULL);
	assert_arc(profile, "<unknown caller>", "step", 4);
	assert_arc(profile, "<unknown caller>", "work", 1);
	assert_int_equal(profile->nodes[firmware_node(profile, "<unknown caller>")].kind, PROFILE_UNKNOWN_CALLER);
}

TEST_WITH(function_that_jumped_to_the_callee_is_named, set_up_tasks, NULL)
{
	firmware_arc(fixture.capture, MAIN + 9, STEP + 1, 4);
	firmware_arc(fixture.capture, MAIN + 5, WORK + 1, 1);
	struct profile *profile = firmware_run(NULL);
	assert_arc(profile, "main", "step", 4);
	assert_arc(profile, "main", "work", 1);
	for (size_t i = 0; i < profile->arc_count; i++) {
		bool is_step = profile->arcs[i].callee == firmware_node(profile, "step");

		assert_true(is_step == (profile->arcs[i].via != NULL));
		assert_true(!is_step || strcmp(profile->arcs[i].via, "jumper") == 0);
	}
}

/* Its callers are what the writer made of return addresses. */
TEST_WITH(callers_in_gmon_out_are_used_unchanged, set_up_tasks, NULL)
{
	firmware_arc(fixture.capture, TASK_EXIT + 1, TASK + 1, 2);
	fixture.capture->blocks[0].is_gmon = true;
	struct profile *profile = firmware_run(NULL);
	assert_arc(profile, "enable", "task", 2);
}

TEST_WITH(parts_have_the_same_callers, set_up_tasks, NULL)
{
	const struct analysis_options options = {0};

	firmware_arc(fixture.capture, TASK_EXIT + 1, TASK + 1, 2);
	fixture.capture->blocks[0].arcs[0].context = 3;
	struct profile *profile = firmware_run(NULL);
	assert_success(analysis_split(profile, ANALYSIS_BY_CONTEXT, &options, &failure), &failure);
	assert_int_equal(profile->part_count, 1);
	assert_arc(profile->parts[0].profile, "<task entry>", "task", 2);
}

/* first calls f0, and each jumps to the next one; the last of them returns. */
static void assert_caller_of_other(unsigned jumps, const char *caller)
{
	char source[16384];
	size_t length =
	        (size_t)snprintf(source, sizeof source, "%s",
	                         "\t.syntax unified\n\t.text\n" FUNCTION("first", "bl f0") FUNCTION("other", "bx lr"));

	for (unsigned i = 0; i <= jumps; i++)
		length += (size_t)snprintf(source + length, sizeof source - length,
		                           "\t.global f%u\n\t.type f%u, %%function\n\t.thumb_func\nf%u:\n"
		                           "\t%s f%u\n\tbx lr\n\t.size f%u, . - f%u\n",
		                           i, i, i, i < jumps ? "b.w" : "bx lr @", i + 1, i, i);
	assert_true(length < sizeof source);
	struct image *image = firmware_assemble("arcs-chain", source);
	struct capture *capture = firmware_capture(0, 1);
	firmware_arc(capture, FIRMWARE_BASE + 5, FIRMWARE_BASE + 17, 1);
	struct profile *profile = firmware_analyse(image, capture);
	assert_arc(profile, caller, "other", 1);
}

TEST_WITH(jumps_are_followed_only_so_far, NULL, NULL)
{
	assert_caller_of_other(10, "<unknown caller>");
	assert_caller_of_other(100, "first");
}

/* A megabyte of jumps and calls in one function, each arc asks for another place in it. */
TEST_WITH(many_callers_in_large_code_take_little_time, NULL, NULL)
{
	struct image *image = firmware_assemble(
	        "arcs-large", "\t.syntax unified\n\t.text\n" FUNCTION(
	                              "large", ".rept 80000\n\tbl last\n\tbeq.w large\n\tb.w last\n\t.endr")
	                              FUNCTION("other", "bx lr") FUNCTION("last", "b.w large"));
	struct capture *capture = firmware_capture(0, 10000);
	uint64_t other = 0;

	assert_true(image_symbol(image, "other", &other));
	for (uint64_t i = 0; i < 10000; i++)
		firmware_arc(capture, FIRMWARE_BASE + 12 * 8 * i + 5, (other & ~UINT64_C(1)) + 1, 1);
	clock_t start = clock();
	struct profile *profile = firmware_analyse(image, capture);
	assert_time(start, 10);
	assert_arc(profile, "<unknown caller>", "other", 10000);
}
