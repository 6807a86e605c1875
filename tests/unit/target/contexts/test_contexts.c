/* SPDX-License-Identifier: MIT */
/* Calls and samples are filed under the context they were made in. */
#include "contexts.h"
#include "test.h"

#define ADDRESS_SIZE  sizeof(uintptr_t)
#define GRANULES      64u
#define GRANULE_SHIFT 3u

static void lay_out(uint32_t arcs)
{
	arena_begin(arcs, 16);
	arena_use_granules(arcs, GRANULES, GRANULE_SHIFT, 16);
}

static int begin(void **state)
{
	lay_out(64);
	arena_init_and_start();
	return 0;
}

static uint32_t offset_of(uint32_t context)
{
	return arena_item(BAREPROF_SECTION_CONTEXTS, context);
}

static const char *name_of(uint32_t context)
{
	return (const char *)arena_bytes(offset_of(context));
}

/* BAREPROF_CONTEXT_OTHERS */
static uint32_t refused(void)
{
	return arena_word(offset_of(BAREPROF_CONTEXTS));
}

static uint32_t switches_to(uint32_t context)
{
	return arena_word(offset_of(context) + BAREPROF_CONTEXT_SWITCHES);
}

static void assert_switches(uint32_t to_0, uint32_t to_1, uint32_t to_2, uint32_t to_3)
{
	assert_int_equal(switches_to(0), to_0);
	assert_int_equal(switches_to(1), to_1);
	assert_int_equal(switches_to(2), to_2);
	assert_int_equal(switches_to(3), to_3);
}

EACH_TEST(begin, NULL);

TEST(block_has_a_section_of_names_and_wider_slots)
{
	uint32_t contexts = arena_entry(BAREPROF_SECTION_CONTEXTS);
	uint32_t arcs = arena_entry(BAREPROF_SECTION_ARCS);
	uint32_t ranges = arena_entry(BAREPROF_SECTION_RANGES);
	uint32_t header_size = BAREPROF_HEADER_SIZE((uint32_t)ADDRESS_SIZE) + BAREPROF_CONTEXT_HEADER_SIZE;

	assert_int_equal(arena_half(BAREPROF_OFFSET_HEADER_SIZE), header_size);
	assert_int_equal(*arena_bytes(BAREPROF_OFFSET_DIRECTORY_COUNT), BAREPROF_DIRECTORY_CAPACITY + 1);
	assert_int_equal(arena_word(ranges + BAREPROF_ENTRY_OFFSET), BAREPROF_OFFSET_RANGES + BAREPROF_ENTRY_SIZE);
	assert_int_equal(arena_word(contexts + BAREPROF_ENTRY_OFFSET), header_size);
	assert_int_equal(arena_half(contexts + BAREPROF_ENTRY_ITEM_SIZE), 20);
	assert_int_equal(*arena_bytes(contexts + BAREPROF_ENTRY_PARAMETER), BAREPROF_CONTEXT_OTHERS);
	assert_int_equal(arena_word(contexts + BAREPROF_ENTRY_CAPACITY), BAREPROF_CONTEXTS + 1);
	assert_int_equal(arena_word(contexts + BAREPROF_ENTRY_USED), BAREPROF_CONTEXTS + 1);
	assert_int_equal(*arena_bytes(arcs + BAREPROF_ENTRY_PARAMETER), BAREPROF_ARC_CONTEXT);
	assert_int_equal(arena_half(arcs + BAREPROF_ENTRY_ITEM_SIZE), BAREPROF_ARC_SIZE);
	assert_int_equal(arena_word(arcs + BAREPROF_ENTRY_OFFSET),
	                 header_size + (BAREPROF_CONTEXTS * 20 + 20 + 7) / 8 * 8);
}

TEST(calls_are_filed_under_the_current_context)
{
	bareprof_arc(0x1000, 0x2000);
	bareprof_context_switch(1);
	bareprof_arc(0x1000, 0x2000);
	bareprof_arc(0x1000, 0x2000);
	bareprof_context_switch(3);
	for (unsigned i = 0; i < 5; i++)
		bareprof_arc(0x1000, 0x2000);
	bareprof_context_switch(1);
	bareprof_arc(0x1000, 0x2000);
	assert_int_equal(arena_context_calls(0, 0x1000, 0x2000), 1);
	assert_int_equal(arena_context_calls(1, 0x1000, 0x2000), 3);
	assert_int_equal(arena_context_calls(2, 0x1000, 0x2000), 0);
	assert_int_equal(arena_context_calls(3, 0x1000, 0x2000), 5);
	assert_int_equal(arena_slots_claimed(), 3);
}

/* Many arcs, so that slots of one context are on the probe sequences of another. */
TEST(contexts_stay_apart_in_a_full_table)
{
	lay_out(256);
	arena_init_and_start();
	for (uint32_t i = 0; i < 3 * 20000; i++) {
		bareprof_context_switch(i % 4);
		bareprof_arc(0x1000 + 4 * (i / 4 % 60), 0x2000 + 64 * (i / 4 % 60));
	}
	assert_int_equal(arena_word(BAREPROF_OFFSET_ARCS_DROPPED), 0);
	for (uint32_t context = 0; context < 4; context++)
		for (uint32_t i = 0; i < 60; i++)
			assert_int_equal(arena_context_calls(context, 0x1000 + 4 * i, 0x2000 + 64 * i), 250);
}

TEST(samples_are_filed_under_the_current_context)
{
	uintptr_t pc = (uintptr_t)bareprof_text_start + 0x100;
	uint32_t slots;

	for (uint32_t context = 0; context < 4; context++) {
		bareprof_context_switch(context);
		for (uint32_t i = 0; i <= context; i++)
			bareprof_sample(pc);
	}
	for (uint32_t context = 0; context < 4; context++) {
		assert_int_equal(arena_granule_samples(context, pc >> GRANULE_SHIFT, &slots), context + 1);
		assert_int_equal(slots, 1);
	}
}

/* Every context runs the same range of code. */
TEST(contexts_share_a_table_that_is_half_full_without_loss)
{
	const uint32_t seen = 64;

	arena_begin(64, 16);
	arena_use_granules(64, 2 * seen * BAREPROF_CONTEXTS, GRANULE_SHIFT, 16);
	arena_init_and_start();
	for (uint32_t i = 0; i < 10 * seen * BAREPROF_CONTEXTS; i++) {
		bareprof_context_switch(i % BAREPROF_CONTEXTS);
		bareprof_sample((uintptr_t)bareprof_text_start + ((i / BAREPROF_CONTEXTS * 7 % seen) << GRANULE_SHIFT));
	}
	assert_int_equal(arena_word(BAREPROF_OFFSET_SAMPLES_TABLE_FULL), 0);
	assert_int_equal(arena_word(BAREPROF_OFFSET_SAMPLES_OUTSIDE), 0);
}

TEST(switch_returns_the_previous_context)
{
	assert_int_equal(bareprof_context_switch(2), 0);
	assert_int_equal(bareprof_context_switch(3), 2);
	assert_int_equal(bareprof_context_switch(2), 3);
}

TEST(numbers_beyond_the_last_context_share_one_more)
{
	bareprof_context_switch(3);
	assert_int_equal(bareprof_context_switch(BAREPROF_CONTEXTS), 3);
	bareprof_arc(0x1000, 0x2000);
	assert_int_equal(bareprof_context_switch(UINT32_MAX), BAREPROF_CONTEXTS);
	bareprof_arc(0x1000, 0x2000);
	assert_int_equal(arena_context_calls(BAREPROF_CONTEXTS, 0x1000, 0x2000), 2);
	assert_int_equal(arena_slots_claimed(), 1);
	assert_int_equal(switches_to(BAREPROF_CONTEXTS), 1);
}

/* A number is one bit, even if its task runs again. */
TEST(different_numbers_beyond_are_noted_while_the_profile_runs)
{
	for (uint32_t i = 0; i < 3; i++) {
		bareprof_context_switch(BAREPROF_CONTEXTS);
		bareprof_context_switch(BAREPROF_CONTEXTS + 2);
		bareprof_context_switch(BAREPROF_CONTEXTS + 33);
		bareprof_context_switch(1);
	}
	assert_int_equal(refused(), 0x7);
	assert_int_equal(switches_to(BAREPROF_CONTEXTS), 3);
	bareprof_reset();
	bareprof_context_switch(BAREPROF_CONTEXTS + 4);
	arena_finish_reset();
	assert_int_equal(refused(), 0);
	bareprof_context_switch(BAREPROF_CONTEXTS + 5);
	bareprof_stop();
	bareprof_context_switch(BAREPROF_CONTEXTS + 6);
	assert_int_equal(refused(), 0x20);
}

TEST(names_are_kept_and_cut)
{
	bareprof_context_name(1, "idle");
	bareprof_context_name(2, "a name of many letters");
	bareprof_context_name(3, "shorter afterwards");
	bareprof_context_name(3, "now");
	assert_string_equal(name_of(0), "");
	assert_string_equal(name_of(1), "idle");
	assert_string_equal(name_of(2), "a name of many ");
	assert_string_equal(name_of(3), "now");
}

TEST(context_is_found_by_name_or_takes_the_next_number)
{
	assert_int_equal(bareprof_context_named("idle"), 1);
	assert_int_equal(bareprof_context_named("control"), 2);
	assert_int_equal(bareprof_context_named("idle"), 1);
	assert_int_equal(bareprof_context_named("idl"), 3);
	assert_string_equal(name_of(0), "");
	assert_string_equal(name_of(1), "idle");
	assert_string_equal(name_of(2), "control");
	assert_string_equal(name_of(3), "idl");
}

TEST(context_of_a_long_name_is_found_by_15_characters)
{
	assert_int_equal(bareprof_context_named("a name of many letters"), 1);
	assert_int_equal(bareprof_context_named("a name of many words"), 1);
	assert_int_equal(bareprof_context_named("a name of many"), 2);
}

TEST(context_named_by_hand_is_not_assigned_again)
{
	bareprof_context_name(1, "interrupts");
	assert_int_equal(bareprof_context_named("idle"), 2);
	assert_int_equal(bareprof_context_named("interrupts"), 1);
}

TEST(names_beyond_the_last_context_have_numbers_of_their_own)
{
	uint32_t four, five;

	bareprof_context_named("one");
	bareprof_context_named("two");
	bareprof_context_named("three");
	arena_remember();
	four = bareprof_context_named("four");
	five = bareprof_context_named("five");
	assert_true(arena_is_as_remembered());
	assert_true(four >= BAREPROF_CONTEXTS && five >= BAREPROF_CONTEXTS && four != five);
	assert_int_equal(bareprof_context_enter(0, "four"), four);
	assert_int_equal(bareprof_context_enter(five, "five"), five);
	bareprof_arc(0x1000, 0x2000);
	assert_int_equal(arena_context_calls(BAREPROF_CONTEXTS, 0x1000, 0x2000), 1);
	assert_int_equal(refused(), 1u << (four - BAREPROF_CONTEXTS) | 1u << (five - BAREPROF_CONTEXTS));
}

/* Tasks of one kind often differ in their last characters only. */
TEST(numbers_of_names_that_end_differently_differ)
{
	uint32_t numbers = 0;

	bareprof_context_named("one");
	bareprof_context_named("two");
	bareprof_context_named("three");
	for (char last = '0'; last <= '9'; last++)
		numbers |= 1u << (bareprof_context_named((const char[]){'t', 'a', 's', 'k', last, '\0'}) -
		                  BAREPROF_CONTEXTS);
	assert_int_equal(__builtin_popcount(numbers), 10);
}

TEST(empty_name_is_context_0)
{
	assert_int_equal(bareprof_context_named(""), 0);
	bareprof_context_switch(3);
	assert_int_equal(bareprof_context_enter(0, ""), 0);
	assert_int_equal(bareprof_context_switch(3), 0);
}

TEST(task_enters_by_name_once_and_by_number_afterwards)
{
	uint32_t number;

	number = bareprof_context_enter(0, "control");
	assert_int_equal(number, 1);
	assert_int_equal(bareprof_context_enter(0, "idle"), 2);
	assert_int_equal(bareprof_context_enter(number, "renamed"), number);
	assert_int_equal(bareprof_context_switch(0), number);
	assert_string_equal(name_of(1), "control");
}

/* A task that was created before bareprof_init() keeps 0 until it is switched to afterwards. */
TEST(task_entered_before_init_gets_its_number_later)
{
	lay_out(64);
	assert_int_equal(bareprof_context_enter(0, "early"), 0);
	bareprof_init();
	assert_int_equal(bareprof_context_enter(0, "early"), 1);
}

TEST(warm_reset_keeps_the_numbers_of_names)
{
	bareprof_context_named("idle");
	bareprof_context_named("control");
	bareprof_init();
	assert_int_equal(bareprof_context_named("control"), 2);
	assert_int_equal(bareprof_context_named("idle"), 1);
}

static uint32_t context_in_a_handler(uint32_t context, uint32_t nested)
{
	BAREPROF_IN_CONTEXT(context);

	bareprof_arc(0x1000, 0x2000);
	if (nested != 0)
		context_in_a_handler(nested, 0);
	return bareprof_context_switch(context);
}

TEST(handlers_nest_and_leave_the_context_that_they_interrupted)
{
	bareprof_context_switch(1);
	assert_int_equal(context_in_a_handler(2, 3), 2);
	assert_int_equal(bareprof_context_switch(1), 1);
	assert_int_equal(arena_context_calls(2, 0x1000, 0x2000), 1);
	assert_int_equal(arena_context_calls(3, 0x1000, 0x2000), 1);
	assert_int_equal(arena_context_calls(1, 0x1000, 0x2000), 0);
}

static void switch_tasks_in_a_handler(uint32_t task)
{
	BAREPROF_IN_CONTEXT(3);

	bareprof_context_switch(task);
}

/* The end of the handler's scope leaves the task as it found it, and counts no switch. */
TEST(task_that_a_handler_switched_to_keeps_its_context)
{
	bareprof_context_switch(1);
	switch_tasks_in_a_handler(2);
	assert_switches(0, 1, 1, 1);
	assert_int_equal(bareprof_context_switch(0), 2);
}

TEST(handler_without_a_context_of_its_own_restores_the_task)
{
	bareprof_context_switch(1);
	assert_int_equal(context_in_a_handler(BAREPROF_CONTEXTS + 1, 0), BAREPROF_CONTEXTS);
	assert_int_equal(bareprof_context_switch(0), 1);
	assert_int_equal(arena_context_calls(BAREPROF_CONTEXTS, 0x1000, 0x2000), 1);
	assert_int_equal(refused(), 0x2);
}

TEST(switches_to_another_context_are_counted)
{
	bareprof_context_switch(0);
	bareprof_context_switch(2);
	bareprof_context_switch(2);
	bareprof_context_switch(1);
	bareprof_context_switch(2);
	bareprof_context_enter(3, "three");
	bareprof_context_switch(0);
	assert_switches(1, 1, 2, 1);
}

TEST(restoring_a_context_counts_no_switch)
{
	uint32_t before;

	bareprof_context_switch(1);
	before = bareprof_context_switch(3);
	assert_int_equal(bareprof_context_restore(before), 3);
	assert_int_equal(bareprof_context_switch(1), 1);
	assert_switches(0, 1, 0, 1);
	bareprof_context_restore(4);
	assert_int_equal(bareprof_context_switch(0), 4);
	assert_switches(1, 1, 0, 1);
}

TEST(handlers_count_only_in_their_own_contexts)
{
	bareprof_context_switch(1);
	context_in_a_handler(2, 3);
	context_in_a_handler(2, 0);
	/* A handler interrupts a handler of the same context. */
	context_in_a_handler(2, 2);
	assert_switches(0, 1, 3, 1);
}

TEST(stopped_profile_counts_no_switches)
{
	bareprof_stop();
	bareprof_context_switch(1);
	bareprof_arm(bareprof_text_start, 24, 0);
	bareprof_context_switch(2);
	bareprof_start();
	assert_switches(0, 0, 0, 0);
	bareprof_context_switch(3);
	bareprof_reset();
	bareprof_context_switch(1);
	assert_switches(0, 0, 0, 1);
}

TEST(full_counter_of_switches_stops_and_counts_its_losses)
{
	arena_set_word(offset_of(2) + BAREPROF_CONTEXT_SWITCHES, BAREPROF_COUNTER_LIMIT - 1);
	for (uint32_t i = 0; i < 3; i++) {
		bareprof_context_switch(2);
		bareprof_context_switch(0);
	}
	assert_switches(3, 0, BAREPROF_COUNTER_LIMIT, 0);
	assert_int_equal(arena_word(BAREPROF_OFFSET_SATURATED), 2);
}

TEST(name_of_an_invalid_context_is_not_written)
{
	arena_remember();
	bareprof_context_name(4, "four");
	bareprof_context_name(UINT32_MAX, "many");
	assert_true(arena_is_as_remembered());
}

TEST(no_memory_is_touched_before_init)
{
	for (uint32_t seed = 1; seed <= 50; seed++) {
		lay_out(64);
		arena_fill_random(seed);
		arena_remember();
		assert_int_equal(bareprof_context_switch(2), 0);
		assert_int_equal(bareprof_context_restore(2), 0);
		bareprof_context_name(2, "two");
		assert_int_equal(bareprof_context_named("two"), 0);
		assert_true(arena_is_as_remembered());
	}
}

TEST(reset_clears_the_counts_and_keeps_names_and_context)
{
	bareprof_context_name(2, "two");
	bareprof_context_switch(2);
	bareprof_arc(0x1000, 0x2000);
	bareprof_sample((uintptr_t)bareprof_text_start);
	bareprof_reset();
	arena_finish_reset();
	assert_int_equal(arena_slots_claimed(), 0);
	assert_switches(0, 0, 0, 0);
	assert_string_equal(name_of(2), "two");
	bareprof_arc(0x1000, 0x2000);
	assert_int_equal(arena_context_calls(2, 0x1000, 0x2000), 1);
}

/* After a reset no task has been switched to yet. */
TEST(warm_reset_keeps_counts_and_names_and_begins_in_context_0)
{
	bareprof_context_name(2, "two");
	bareprof_context_switch(2);
	bareprof_arc(0x1000, 0x2000);
	arena_init_and_start();
	assert_int_equal(arena_word(BAREPROF_OFFSET_RESET_COUNT), 1);
	assert_string_equal(name_of(2), "two");
	assert_switches(0, 0, 1, 0);
	bareprof_arc(0x1000, 0x2000);
	assert_int_equal(arena_context_calls(2, 0x1000, 0x2000), 1);
	assert_int_equal(arena_context_calls(0, 0x1000, 0x2000), 1);
	assert_int_equal(bareprof_context_switch(1), 0);
}

TEST(block_with_other_contexts_is_not_continued)
{
	bareprof_context_name(2, "two");
	bareprof_context_switch(2);
	bareprof_arc(0x1000, 0x2000);
	arena_layout.sections[BAREPROF_DIRECTORY_CONTEXTS].capacity = 3;
	bareprof_init();
	assert_int_equal(arena_word(BAREPROF_OFFSET_RESET_COUNT), 0);
	assert_int_equal(arena_slots_claimed(), 0);
	assert_string_equal(name_of(2), "");
}
