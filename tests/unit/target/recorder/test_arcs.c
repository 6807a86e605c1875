/* SPDX-License-Identifier: MIT */
/* The table of arcs compared with a simple reference. */
#include "arena.h"
#include "test.h"

#define REFERENCE_ARCS 400u

struct reference {
	uintptr_t caller;
	uintptr_t callee;
	uint64_t calls;
};

/* Every second caller calls two callees; addresses lie close together, as in real text. */
static void reference_make(struct reference *arcs)
{
	for (uint32_t i = 0; i < REFERENCE_ARCS; i++) {
		arcs[i].caller = 0x08000000u + (i / 2) * 6u + (arena_random() & 1u);
		arcs[i].callee = 0x08000100u + (i & 1u) * 4u + (arena_random() % 64u) * 32u;
		arcs[i].calls = 0;
	}
}

static void call_at_random(struct reference *arcs, uint32_t calls)
{
	for (uint32_t i = 0; i < calls; i++) {
		/* The smaller of two: some arcs are hot and some are rare. */
		uint32_t first = arena_random() % REFERENCE_ARCS;
		uint32_t second = arena_random() % REFERENCE_ARCS;
		struct reference *arc = &arcs[first < second ? first : second];

		bareprof_arc(arc->caller, arc->callee);
		arc->calls++;
	}
}

/* Arcs that were generated twice by chance count as one. */
static uint64_t reference_calls(const struct reference *arcs, const struct reference *wanted)
{
	uint64_t calls = 0;

	for (uint32_t i = 0; i < REFERENCE_ARCS; i++)
		if (arcs[i].caller == wanted->caller && arcs[i].callee == wanted->callee)
			calls += arcs[i].calls;
	return calls;
}

TEST(every_call_is_counted_under_its_arc)
{
	for (uint32_t seed = 1; seed <= 20; seed++) {
		struct reference arcs[REFERENCE_ARCS];

		arena_begin_running(1024, 16);
		arena_seed(seed);
		reference_make(arcs);
		call_at_random(arcs, 20000);
		for (uint32_t i = 0; i < REFERENCE_ARCS; i++)
			assert_int_equal(arena_arc_calls(arcs[i].caller, arcs[i].callee),
			                 reference_calls(arcs, &arcs[i]));
		assert_int_equal(arena_calls(), 20000);
		assert_int_equal(arena_word(BAREPROF_OFFSET_ARCS_DROPPED), 0);
	}
}

TEST(calls_that_find_the_table_full_are_counted_as_dropped)
{
	static const uint32_t capacities[] = {8, 16, 64, 128, 256};

	for (size_t i = 0; i < sizeof capacities / sizeof *capacities; i++) {
		struct reference arcs[REFERENCE_ARCS];

		arena_begin_running(capacities[i], 16);
		arena_remember();
		arena_seed((uint32_t)i + 1);
		reference_make(arcs);
		call_at_random(arcs, 20000);
		assert_true(arena_word(BAREPROF_OFFSET_ARCS_DROPPED) > 0);
		assert_int_equal(arena_calls() + arena_word(BAREPROF_OFFSET_ARCS_DROPPED), 20000);
		for (uint32_t slot = 0; slot < capacities[i]; slot++) {
			struct reference wanted = {arena_arc(slot).caller, arena_arc(slot).callee, 0};

			assert_true(arena_arc(slot).count <= reference_calls(arcs, &wanted));
		}
		assert_true(arena_is_untouched_outside_block());
	}
}

TEST(a_small_table_is_filled_to_its_last_slot)
{
	arena_begin_running(8, 16);
	for (uintptr_t i = 0; i < 9; i++)
		bareprof_arc(0x1000, 0x2000 + i * 1024u);
	assert_int_equal(arena_slots_claimed(), 8);
	assert_int_equal(arena_word(BAREPROF_OFFSET_ARCS_DROPPED), 1);
}

TEST(arcs_of_one_hash_are_kept_apart)
{
	arena_begin_running(64, 16);
	for (uintptr_t i = 0; i < 10; i++)
		for (uintptr_t calls = 0; calls <= i; calls++)
			bareprof_arc(0x1000 + i * 4096u, 0x2000 + i * 65536u);
	for (uintptr_t i = 0; i < 10; i++)
		assert_int_equal(arena_arc_calls(0x1000 + i * 4096u, 0x2000 + i * 65536u), i + 1);
}

/* The hooks in target/isa/ search in the same order: a hook with another order would find no arc and leave all calls to
 * C. */
TEST(arcs_of_one_hash_probe_at_the_distance_of_their_caller)
{
	const uintptr_t caller = 0x1235;

	arena_begin_running(64, 16);
	for (uintptr_t i = 0; i < 16; i++)
		bareprof_arc(caller, 0x2001 + i * 4u * 64u);
	for (uintptr_t i = 0; i < 16; i++) {
		const uint32_t slot = (uint32_t)((caller + 0x2001) / 4u + i * caller) % 64u;

		assert_int_equal(arena_arc(slot).caller, caller);
		assert_int_equal(arena_arc(slot).callee, 0x2001 + i * 4u * 64u);
	}
}

TEST(a_full_count_counts_lost_calls_as_saturated)
{
	arena_begin_running(8, 16);
	bareprof_arc(0x1000, 0x2000);
	for (uint32_t slot = 0; slot < 8; slot++)
		if (arena_arc(slot).count != 0)
			arena_set_arc_count(slot, BAREPROF_COUNTER_LIMIT - 1);
	for (unsigned i = 0; i < 5; i++)
		bareprof_arc(0x1000, 0x2000);
	assert_int_equal(arena_arc_calls(0x1000, 0x2000), BAREPROF_COUNTER_LIMIT);
	assert_int_equal(arena_word(BAREPROF_OFFSET_SATURATED), 4);
}

TEST(the_counter_of_dropped_calls_stops_at_its_maximum)
{
	arena_begin_running(8, 16);
	arena_set_word(BAREPROF_OFFSET_ARCS_DROPPED, BAREPROF_COUNTER_LIMIT - 1);
	bareprof_arc(0x1000, 0);
	bareprof_arc(0x1000, 0);
	assert_int_equal(arena_word(BAREPROF_OFFSET_ARCS_DROPPED), BAREPROF_COUNTER_LIMIT);
}

TEST(call_without_a_callee_is_dropped)
{
	arena_begin_running(8, 16);
	bareprof_arc(0, 0);
	assert_int_equal(arena_slots_claimed(), 0);
	assert_int_equal(arena_word(BAREPROF_OFFSET_ARCS_DROPPED), 1);
}

TEST(call_from_address_0_is_an_arc)
{
	arena_begin_running(8, 16);
	bareprof_arc(0, 0x2000);
	bareprof_arc(0, 0x2000);
	assert_int_equal(arena_arc_calls(0, 0x2000), 2);
	assert_int_equal(arena_slots_claimed(), 1);
}

void __cyg_profile_func_enter(void *function, void *call_site);
void __cyg_profile_func_exit(void *function, void *call_site);

TEST(the_hooks_of_instrument_functions_file_the_arc)
{
	arena_begin_running(8, 16);
	__cyg_profile_func_enter((void *)0x2000, (void *)0x1000);
	__cyg_profile_func_exit((void *)0x2000, (void *)0x1000);
	assert_int_equal(arena_arc_calls(0x1000, 0x2000), 1);
	assert_int_equal(arena_calls(), 1);
}
