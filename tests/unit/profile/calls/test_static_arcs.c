/* SPDX-License-Identifier: MIT */
/* Static calls, added to the recorded ones. */
#include "../firmware.h"

#include "profile/analysis.h"
#include "test.h"

/* Functions of 16 bytes from 0x8000 on. */
#define FUNCTION(name, body)                                                                               \
	"\t.balign 16\n\t.global " name "\n\t.type " name ", %function\n\t.thumb_func\n" name ":\n\t" body \
	"\n\t.size " name ", . - " name "\n"

static const char source[] = "\t.syntax unified\n\t.text\n" FUNCTION("f0", "bl f1\n\tbl f2\n\tbl jumper\n\tblx r3")
        FUNCTION("f1", "bl f0\n\tbl f0") FUNCTION("f2", "bl f2") FUNCTION("jumper", "b.w f3") FUNCTION("f3", "bx lr")
                FUNCTION("f4", "bx lr") FUNCTION("f5", "bl f4") "\t.data\n\t.word f4\n";

static int set_up(void **state)
{
	return firmware_set_up(firmware_assemble("static_arcs", source));
}

static struct profile *analyse(struct filters *filters)
{
	return firmware_run(&(struct analysis_options){.static_calls = true, .filters = filters});
}

EACH_TEST(set_up, NULL);

TEST(unrecorded_calls_are_arcs_without_a_count)
{
	struct profile *profile = analyse(NULL);

	assert_int_equal(profile->arc_count, 7);
	assert_true(firmware_arc_of(profile, "f0", "f1")->is_static);
	assert_int_equal(firmware_arc_of(profile, "f0", "f1")->count, 0);
	assert_true(firmware_arc_of(profile, "f2", "f2")->is_static);
	assert_true(firmware_arc_of(profile, "jumper", "f3")->is_static);
	assert_int_equal(profile->nodes[firmware_node(profile, "f1")].calls, 0);
}

TEST(recorded_calls_keep_their_count_and_their_order)
{
	firmware_arc(fixture.capture, 0x8061 + 4, 0x8051, 3); /* f5 calls f4 */
	firmware_arc(fixture.capture, 0x8009, 0x8021, 5);     /* f0 calls f2 */
	struct profile *profile = analyse(NULL);
	const struct profile_arc *first = firmware_arc_of(profile, "f5", "f4"),
	                         *second = firmware_arc_of(profile, "f0", "f2");
	assert_int_equal(first->count, 3);
	assert_true(first->is_static);
	assert_int_equal(second->count, 5);
	assert_true(first->sequence < second->sequence);
	assert_true(second->sequence < firmware_arc_of(profile, "f0", "f1")->sequence);
	assert_true(firmware_arc_of(profile, "f0", "f1")->sequence < firmware_arc_of(profile, "f1", "f0")->sequence);
	assert_int_equal(profile->nodes[firmware_node(profile, "f2")].calls, 5);
}

TEST(unrecorded_calls_complete_cycles)
{
	firmware_arc(fixture.capture, 0x8005, 0x8011, 2); /* f0 calls f1 */
	struct profile *without = firmware_run(NULL), *with = analyse(NULL);
	assert_int_equal(without->cycle_count, 0);
	assert_int_equal(with->cycle_count, 1);
	assert_int_equal(with->cycles[0].member_count, 2);
}

TEST(recorded_call_names_the_function_that_jumped)
{
	firmware_arc(fixture.capture, 0x800D, 0x8041, 2); /* f0 calls jumper, f3 is entered */
	struct profile *profile = analyse(NULL);
	const struct profile_arc *arc = firmware_arc_of(profile, "f0", "f3");
	assert_int_equal(arc->count, 2);
	assert_string_equal(arc->via, "jumper");
	assert_false(arc->is_static);
	assert_false(arc->is_indirect);
	assert_null(firmware_arc_of(profile, "f0", "f1")->via);
}

TEST(call_through_a_pointer_is_indirect)
{
	firmware_arc(fixture.capture, 0x800F, 0x8051, 2);     /* f0 calls f4 by blx r3 */
	firmware_arc(fixture.capture, 0x8061 + 4, 0x8051, 2); /* f5 calls it by bl */
	firmware_arc(fixture.capture, 0x800F, 0x8041, 2);     /* no pointer to f3 is anywhere */
	struct profile *profile = analyse(NULL);
	assert_true(profile->nodes[firmware_node(profile, "f4")].is_address_taken);
	assert_false(profile->nodes[firmware_node(profile, "f3")].is_address_taken);
	assert_true(firmware_arc_of(profile, "f0", "f4")->is_indirect);
	assert_false(firmware_arc_of(profile, "f5", "f4")->is_indirect);
	assert_false(firmware_arc_of(profile, "f0", "f3")->is_indirect);
}

TEST(filtered_arcs_stay_removed)
{
	struct filters *filters = filters_create();

	assert_success(filters_add_arc(filters, true, "f0/f1", &failure), &failure);
	struct profile *profile = analyse(filters);
	assert_null(firmware_arc_of(profile, "f0", "f1"));
	assert_non_null(firmware_arc_of(profile, "f0", "f2"));
	filters_free(filters);
}
