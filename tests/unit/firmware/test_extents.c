/* SPDX-License-Identifier: MIT */
/* Extents of code from symbols that alias, overlap or have no size. */
#include "firmware/extents.h"
#include "test.h"

#include "../../random.h"

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

#define SHARED_NAME  "init"
#define COUNT(array) (sizeof(array) / sizeof *(array))
#define EXTENTS_MAX  5

struct extent {
	const char *name;
	uint64_t start, end;
};

/* Each list ends before the first item without a name. */
static const struct {
	const char *title;
	struct candidate candidates[EXTENTS_MAX];
	struct extent expected[EXTENTS_MAX];
} cases[] = {
        {"nothing", {{.name = NULL}}, {{NULL, 0, 0}}},
        {"padding between functions has no owner",
         {FUNCTION("b", 20, 30), FUNCTION("a", 10, 18)},
         {{"a", 10, 18}, {"b", 20, 30}}},
        {"an alias extends to the end of the longest",
         {FUNCTION("owner", 10, 12), {"alias", 10, 18, CANDIDATE_FUNCTION, false, false, 1, 0}},
         {{"owner", 10, 18}}},
        {"an inner function owns its bytes, the outer one the rest",
         {FUNCTION("outer", 0, 100), FUNCTION("inner", 40, 60)},
         {{"outer", 0, 40}, {"inner", 40, 60}, {"outer", 60, 100}}},
        {"the function that starts last owns a partial overlap",
         {FUNCTION("a", 0, 60), FUNCTION("b", 40, 100), FUNCTION("c", 50, 55)},
         {{"a", 0, 40}, {"b", 40, 50}, {"c", 50, 55}, {"b", 55, 100}}},
        {"entries that share an end follow each other",
         {FUNCTION("drsub", 0, 80), FUNCTION("dsub", 8, 80), FUNCTION("dadd", 16, 80)},
         {{"drsub", 0, 8}, {"dsub", 8, 16}, {"dadd", 16, 80}}},
        {"neighbours with one name stay separate",
         {FUNCTION(SHARED_NAME, 0, 8), FUNCTION(SHARED_NAME, 8, 16)},
         {{SHARED_NAME, 0, 8}, {SHARED_NAME, 8, 16}}},
        {"a label extends to the next symbol or the end of its section",
         {LABEL("a", 0, 100), LABEL("b", 10, 100), FUNCTION("f", 20, 30), LABEL("c", 30, 100), LABEL("d", 90, 100)},
         {{"a", 0, 10}, {"b", 10, 20}, {"f", 20, 30}, {"c", 30, 90}, {"d", 90, 100}}},
        {"labels inside a function are ignored",
         {FUNCTION("f", 0, 40), LABEL("loop", 10, 100), FUNCTION("g", 20, 24), LABEL("tail", 30, 100)},
         {{"f", 0, 20}, {"g", 20, 24}, {"f", 24, 40}}},
        {"labels inside data are ignored",
         {OBJECT("table", 0, 40), LABEL("row", 10, 100), LABEL("code", 40, 100), OBJECT("more", 60, 70)},
         {{"code", 40, 60}}},
        {"a function keeps the data inside it", {FUNCTION("f", 0, 100), OBJECT("pool", 40, 60)}, {{"f", 0, 100}}},
        {"the last byte of the address space",
         {FUNCTION("f", UINT64_MAX - 8, UINT64_MAX), LABEL("g", UINT64_MAX - 20, UINT64_MAX)},
         {{"g", UINT64_MAX - 20, UINT64_MAX - 8}, {"f", UINT64_MAX - 8, UINT64_MAX}}},
};

static struct image_function *extents_of(struct candidate *candidates, size_t count, size_t *function_count)
{
	struct image_function *functions = NULL;

	assert_true(extents_make(candidates, count, &functions, function_count));
	return release_later(functions, free);
}

TEST(each_byte_has_at_most_one_owner)
{
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct candidate candidates[EXTENTS_MAX];
		size_t count = 0, function_count = 0;

		memcpy(candidates, cases[i].candidates, sizeof candidates);
		for (; count < EXTENTS_MAX && candidates[count].name != NULL; count++)
			candidates[count].order = count;
		print_message("%s\n", cases[i].title);
		const struct image_function *functions = extents_of(candidates, count, &function_count);
		for (size_t j = 0; j < function_count; j++) {
			const struct extent *expected = &cases[i].expected[j];

			assert_non_null(expected->name);
			assert_string_equal(functions[j].name, expected->name);
			assert_int_equal(functions[j].start, expected->start);
			assert_int_equal(functions[j].end, expected->end);
		}
		assert_true(function_count == EXTENTS_MAX || cases[i].expected[function_count].name == NULL);
	}
}

TEST(extents_refer_to_the_first_of_their_function)
{
	struct candidate candidates[] = {FUNCTION("a", 0, 60), FUNCTION("b", 40, 100), FUNCTION("c", 50, 55),
	                                 LABEL("d", 100, 110)};
	static const size_t firsts[] = {0, 1, 2, 1, 4};
	size_t count = 0;
	const struct image_function *functions = extents_of(candidates, COUNT(candidates), &count);

	assert_int_equal(count, sizeof firsts / sizeof *firsts);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(functions[i].first, firsts[i]);
		assert_int_equal(functions[i].inlined_into, IMAGE_NOT_INLINED);
	}
}

/* The owner of a byte, found by a slower algorithm. */
static const struct candidate *owner_of(const struct candidate *candidates, size_t count, uint64_t address)
{
	const struct candidate *owner = NULL;

	for (size_t i = 0; i < count; i++)
		if (candidates[i].kind == CANDIDATE_FUNCTION && candidates[i].start <= address &&
		    address < candidates[i].end && (owner == NULL || candidates[i].start > owner->start))
			owner = &candidates[i];
	return owner;
}

TEST(overlaps_agree_with_a_search_for_each_byte)
{
	uint32_t seed = 1;

	for (int round = 0; round < 500; round++) {
		struct candidate candidates[12];
		struct candidate sorted[12];
		size_t count = 0;

		for (uint64_t start = 0; count < 12; start += 1 + random_next(&seed) % 9)
			candidates[count++] =
			        (struct candidate)FUNCTION("f", start, start + 1 + random_next(&seed) % 40);
		memcpy(sorted, candidates, sizeof sorted);
		size_t function_count;
		const struct image_function *functions = extents_of(sorted, count, &function_count);
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
	}
}

#define MANY ((size_t)1 << 20)

TEST(million_aliases_or_nested_functions_take_linear_time)
{
	static const struct {
		uint64_t start_step, first_end, end_step;
		size_t count;
	} lists[] = {{0, 10, 0, 1}, {2, 10 * MANY, 1, 2 * MANY - 1}};
	struct candidate *candidates = release_later(calloc(MANY, sizeof *candidates), free);

	assert_non_null(candidates);
	for (size_t i = 0; i < COUNT(lists); i++) {
		size_t count;

		for (size_t j = 0; j < MANY; j++)
			candidates[j] = (struct candidate){.name = "f",
			                                   .start = j * lists[i].start_step,
			                                   .end = lists[i].first_end - j * lists[i].end_step,
			                                   .order = MANY - j};
		clock_t start = clock();
		extents_of(candidates, MANY, &count);
		assert_time(start, 20);
		assert_int_equal(count, lists[i].count);
	}
}
