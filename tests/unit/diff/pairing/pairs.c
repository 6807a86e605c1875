/* SPDX-License-Identifier: MIT */
/* See pairs.h. */
#include "pairs.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

struct pairs pairs;

/* The guarantees of pairing.h for each function. */
static void check_build(enum build build, size_t *functions)
{
	const struct pairing *pairing = &pairs.pairing;
	const struct image *image = pairs.images[build];

	for (size_t i = 0; i < image->function_count; i++) {
		const struct image_function *function = &image->functions[i];
		size_t owner = pairing->owners[build][i], pair = pairing->pair_of[build][i];

		assert_in_range(pair, 0, pairing->count - 1);
		assert_in_range(owner, 0, image->function_count - 1);
		assert_int_equal(pairing->owners[build][owner], owner);
		assert_int_equal(image->functions[owner].first, owner);
		assert_int_equal(pairing->pair_of[build][owner], pair);
		bool is_inlined = function->inlined_into != IMAGE_NOT_INLINED;
		/* Code that was inlined into its own function belongs to that function. */
		if (is_inlined && pairing->pair_of[build][function->inlined_into] == pair)
			assert_int_equal(owner, pairing->owners[build][function->inlined_into]);
		else
			assert_int_equal(is_inlined, image->functions[owner].inlined_into != IMAGE_NOT_INLINED);
		assert_non_null(pairing->pairs[pair].names[build]);
		if (function->first == i && function->inlined_into == IMAGE_NOT_INLINED)
			functions[pair]++;
	}
}

static void check(void)
{
	const struct pairing *pairing = &pairs.pairing;

	for (enum build build = 0; build < BUILD_COUNT; build++) {
		size_t *functions = calloc(pairing->count, sizeof *functions);

		assert_non_null(functions);
		check_build(build, functions);
		for (size_t i = 0; i < pairing->count; i++) {
			const struct pairing_pair *pair = &pairing->pairs[i];
			bool is_there = pair->names[build] != NULL;

			assert_int_equal(pair->functions[build], functions[i]);
			assert_int_equal(pair->is_inlined[build], is_there && functions[i] == 0);
			assert_true(is_there || functions[i] == 0);
			assert_int_equal(pair->how == PAIRED_NOT,
			                 pair->names[BUILD_OLD] == NULL || pair->names[BUILD_NEW] == NULL);
		}
		free(functions);
	}
}

static void free_pairing(void *pairing)
{
	pairing_free(pairing);
}

void pairs_find(void)
{
	pairing_free(release_later(&pairs.pairing, free_pairing));
	pairs.images[BUILD_OLD] = workshop_image("old.elf");
	pairs.images[BUILD_NEW] = workshop_image("new.elf");
	assert_success(pairing_find(pairs.images[BUILD_OLD], pairs.images[BUILD_NEW], &pairs.pairing, &failure),
	               &failure);
	check();
}

const struct pairing_pair *pairs_of(enum build build, const char *name)
{
	const struct image_function *function = workshop_function(pairs.images[build], name);

	if (function == NULL)
		fail_msg("no function %s", name);
	return &pairs.pairing.pairs[pairs.pairing.pair_of[build][function - pairs.images[build]->functions]];
}

void pairs_expect(const char *old, const char *new, enum pairing_how how)
{
	const struct pairing_pair *pair = old != NULL ? pairs_of(BUILD_OLD, old) : pairs_of(BUILD_NEW, new);

	if (old != NULL && new != NULL && pair != pairs_of(BUILD_NEW, new))
		fail_msg("%s and %s are not a pair", old, new);
	if (pair->how != how)
		fail_msg("%s and %s: paired in way %d", old == NULL ? "none" : old, new == NULL ? "none" : new,
		         (int)pair->how);
}

size_t pairs_count(enum pairing_how how)
{
	size_t count = 0;

	for (size_t i = 0; i < pairs.pairing.count; i++)
		count += pairs.pairing.pairs[i].how == how;
	return count;
}
