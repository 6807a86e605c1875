/* SPDX-License-Identifier: MIT */
/* How aliases, overlaps and labels become extents of code with one owner each. */
#include "firmware/extents.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FUNCTION(name, start, end)                                       \
	{                                                                \
		name, start, end, CANDIDATE_FUNCTION, false, false, 0, 0 \
	}
#define OBJECT(name, start, end)                                       \
	{                                                              \
		name, start, end, CANDIDATE_OBJECT, false, false, 0, 0 \
	}
#define LABEL(name, start, end)                                       \
	{                                                             \
		name, start, end, CANDIDATE_LABEL, false, false, 0, 0 \
	}
#define EXTENT(its_name, its_start, its_end)                                        \
	{                                                                           \
		.name = its_name, .start = its_start, .end = its_end, .sized = true \
	}

static void expect(struct candidate *candidates, size_t count, const struct image_function *expected,
                   size_t expected_count)
{
	for (size_t i = 0; i < count; i++)
		candidates[i].order = i;
	struct image_function *functions = NULL;
	size_t function_count = 0;
	assert_true(extents_make(candidates, count, &functions, &function_count));
	assert_int_equal(function_count, expected_count);
	for (size_t i = 0; i < expected_count; i++) {
		assert_string_equal(functions[i].name, expected[i].name);
		assert_int_equal(functions[i].start, expected[i].start);
		assert_int_equal(functions[i].end, expected[i].end);
	}
	free(functions);
}

#define EXPECT(candidates, expected) \
	expect(candidates, sizeof(candidates) / sizeof *(candidates), expected, sizeof(expected) / sizeof *(expected))

TEST(nothing_makes_nothing)
{
	struct image_function *functions = NULL;
	size_t count = 1;
	struct candidate none[1];
	assert_true(extents_make(none, 0, &functions, &count));
	assert_int_equal(count, 0);
	assert_null(functions);
}

TEST(padding_between_functions_is_nobodys)
{
	struct candidate candidates[] = {FUNCTION("b", 20, 30), FUNCTION("a", 10, 18)};
	struct image_function expected[] = {EXTENT("a", 10, 18), EXTENT("b", 20, 30)};
	EXPECT(candidates, expected);
}

TEST(alias_reaches_as_far_as_the_longest)
{
	struct candidate candidates[] = {FUNCTION("owner", 10, 12), FUNCTION("alias", 10, 18)};
	candidates[1].rank = 1;
	struct image_function expected[] = {EXTENT("owner", 10, 18)};
	EXPECT(candidates, expected);
}

TEST(inner_function_owns_its_bytes_and_outer_one_the_rest)
{
	struct candidate candidates[] = {FUNCTION("outer", 0, 100), FUNCTION("inner", 40, 60)};
	struct image_function expected[] = {EXTENT("outer", 0, 40), EXTENT("inner", 40, 60), EXTENT("outer", 60, 100)};
	EXPECT(candidates, expected);
}

TEST(function_that_starts_last_owns_a_partial_overlap)
{
	struct candidate candidates[] = {FUNCTION("a", 0, 60), FUNCTION("b", 40, 100), FUNCTION("c", 50, 55)};
	struct image_function expected[] = {EXTENT("a", 0, 40), EXTENT("b", 40, 50), EXTENT("c", 50, 55),
	                                    EXTENT("b", 55, 100)};
	EXPECT(candidates, expected);
}

TEST(extents_name_the_first_of_their_function)
{
	struct candidate candidates[] = {FUNCTION("a", 0, 60), FUNCTION("b", 40, 100), FUNCTION("c", 50, 55),
	                                 LABEL("d", 100, 110)};
	static const size_t firsts[] = {0, 1, 2, 1, 4};
	struct image_function *functions = NULL;
	size_t count = 0;
	assert_true(extents_make(candidates, sizeof candidates / sizeof *candidates, &functions, &count));
	assert_int_equal(count, sizeof firsts / sizeof *firsts);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(functions[i].first, firsts[i]);
		assert_int_equal(functions[i].inlined_into, IMAGE_NOT_INLINED);
	}
	free(functions);
}

TEST(entries_that_share_an_end_follow_each_other)
{
	struct candidate candidates[] = {FUNCTION("drsub", 0, 80), FUNCTION("dsub", 8, 80), FUNCTION("dadd", 16, 80)};
	struct image_function expected[] = {EXTENT("drsub", 0, 8), EXTENT("dsub", 8, 16), EXTENT("dadd", 16, 80)};
	EXPECT(candidates, expected);
}

TEST(neighbours_of_one_name_stay_two)
{
	static const char shared[] = "init";
	struct candidate candidates[] = {FUNCTION(shared, 0, 8), FUNCTION(shared, 8, 16)};
	struct image_function expected[] = {EXTENT("init", 0, 8), EXTENT("init", 8, 16)};
	EXPECT(candidates, expected);
}

TEST(label_reaches_to_the_next_symbol_or_the_end)
{
	struct candidate candidates[] = {LABEL("a", 0, 100), LABEL("b", 10, 100), FUNCTION("f", 20, 30),
	                                 LABEL("c", 30, 100), LABEL("d", 90, 100)};
	struct image_function expected[] = {EXTENT("a", 0, 10), EXTENT("b", 10, 20), EXTENT("f", 20, 30),
	                                    EXTENT("c", 30, 90), EXTENT("d", 90, 100)};
	EXPECT(candidates, expected);
}

TEST(label_inside_a_function_is_ignored)
{
	struct candidate candidates[] = {FUNCTION("f", 0, 40), LABEL("loop", 10, 100), FUNCTION("g", 20, 24),
	                                 LABEL("tail", 30, 100)};
	struct image_function expected[] = {EXTENT("f", 0, 20), EXTENT("g", 20, 24), EXTENT("f", 24, 40)};
	EXPECT(candidates, expected);
}

TEST(label_inside_data_is_ignored)
{
	struct candidate candidates[] = {OBJECT("table", 0, 40), LABEL("row", 10, 100), LABEL("code", 40, 100),
	                                 OBJECT("more", 60, 70)};
	struct image_function expected[] = {EXTENT("code", 40, 60)};
	EXPECT(candidates, expected);
}

TEST(function_among_data_keeps_its_bytes)
{
	struct candidate candidates[] = {FUNCTION("f", 0, 100), OBJECT("pool", 40, 60)};
	struct image_function expected[] = {EXTENT("f", 0, 100)};
	EXPECT(candidates, expected);
}

TEST(last_byte_of_the_address_space_is_reached)
{
	struct candidate candidates[] = {FUNCTION("f", UINT64_MAX - 8, UINT64_MAX),
	                                 LABEL("g", UINT64_MAX - 20, UINT64_MAX)};
	struct image_function expected[] = {EXTENT("g", UINT64_MAX - 20, UINT64_MAX - 8),
	                                    EXTENT("f", UINT64_MAX - 8, UINT64_MAX)};
	EXPECT(candidates, expected);
}

static uint64_t random_number(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return *seed >> 33;
}

/* Every byte against the rules said in a slower way. */
static const struct candidate *owner_of(const struct candidate *candidates, size_t count, uint64_t address)
{
	const struct candidate *owner = NULL;
	for (size_t i = 0; i < count; i++)
		if (candidates[i].kind == CANDIDATE_FUNCTION && candidates[i].start <= address &&
		    address < candidates[i].end && (owner == NULL || candidates[i].start > owner->start))
			owner = &candidates[i];
	return owner;
}

TEST(overlaps_agree_with_a_byte_by_byte_reading)
{
	uint64_t seed = 1;
	for (int round = 0; round < 500; round++) {
		struct candidate candidates[12];
		struct candidate sorted[12];
		size_t count = 0;
		for (uint64_t start = 0; count < 12; start += 1 + random_number(&seed) % 9)
			candidates[count++] =
			        (struct candidate)FUNCTION("f", start, start + 1 + random_number(&seed) % 40);
		memcpy(sorted, candidates, sizeof sorted);
		struct image_function *functions;
		size_t function_count;
		assert_true(extents_make(sorted, count, &functions, &function_count));
		size_t at = 0;
		for (uint64_t address = 0; address < 200; address++) {
			while (at < function_count && functions[at].end <= address)
				at++;
			bool owned = at < function_count && functions[at].start <= address;
			assert_int_equal(owned, owner_of(candidates, count, address) != NULL);
			bool begins = owned && functions[at].start == address;
			bool changes = owner_of(candidates, count, address) != owner_of(candidates, count, address - 1);
			if (owned && address > 0)
				assert_int_equal(begins, changes);
		}
		free(functions);
	}
}

#define MANY ((size_t)1 << 20)

static double seconds_for(uint64_t start_step, uint64_t first_end, uint64_t end_step, size_t *function_count)
{
	struct candidate *candidates = calloc(MANY, sizeof *candidates);
	assert_non_null(candidates);
	for (size_t i = 0; i < MANY; i++)
		candidates[i] = (struct candidate){
		        .name = "f", .start = i * start_step, .end = first_end - i * end_step, .order = MANY - i};
	struct image_function *functions;
	clock_t before = clock();
	assert_true(extents_make(candidates, MANY, &functions, function_count));
	double seconds = (double)(clock() - before) / CLOCKS_PER_SEC;
	free(functions);
	free(candidates);
	return seconds;
}

TEST(a_million_aliases_are_settled_in_seconds)
{
	size_t count;
	assert_true(seconds_for(0, 10, 0, &count) < 10);
	assert_int_equal(count, 1);
}

TEST(a_million_nested_functions_are_settled_in_seconds)
{
	size_t count;
	assert_true(seconds_for(2, 10 * MANY, 1, &count) < 10);
	assert_int_equal(count, 2 * MANY - 1);
}
