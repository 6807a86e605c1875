/* SPDX-License-Identifier: MIT */
/* See batches.h. */
#include "acquire/sample/batches.h"

#include "base/array.h"
#include "base/search.h"

#include <bareprof/block.h>
#include <math.h>
#include <string.h>

/* With fewer batches the variance itself is too uncertain. */
#define BATCHES_MIN 30

/* Owners that are not functions, after all functions. */
enum { OWNER_UNAVAILABLE, OWNER_UNKNOWN, OWNER_RECORDER, OWNERS_MORE };

static size_t owner_count(const struct batches *batches)
{
	return batches->image->function_count + OWNERS_MORE;
}

bool batches_begin(struct batches *batches, const struct image *image)
{
	*batches = (struct batches){.image = image};
	batches->owners = calloc(owner_count(batches), sizeof *batches->owners);
	return batches->owners != NULL;
}

void batches_free(struct batches *batches)
{
	free(batches->places);
	free(batches->owners);
}

static struct batches_owner *owner_at(const struct batches *batches, uint32_t address)
{
	const struct image *image = batches->image;
	struct batches_owner *more = &batches->owners[image->function_count];
	const struct image_function *function = image_function_at(image, address);

	if (address == BAREPROF_PC_UNAVAILABLE)
		return &more[OWNER_UNAVAILABLE];
	if (function == NULL)
		return &more[OWNER_UNKNOWN];
	if (image_is_recorder(image, function->start))
		return &more[OWNER_RECORDER];
	return &batches->owners[function - image->functions];
}

static bool count_read(struct batches *batches, uint32_t address)
{
	size_t index = first_from(batches->places, batches->place_count, sizeof *batches->places,
	                          offsetof(struct batches_place, address), address);

	if (index == batches->place_count || batches->places[index].address != address) {
		struct batches_place *places = array_reserve(batches->places, sizeof *places, batches->place_count);

		if (places == NULL)
			return false;
		batches->places = places;
		memmove(places + index + 1, places + index, (batches->place_count - index) * sizeof *places);
		places[index] = (struct batches_place){.address = address};
		batches->place_count++;
	}
	batches->places[index].reads++;
	return true;
}

/* Adds the owner's reads in the batch to its sums, once per batch. */
static void end_batch(struct batches_owner *owner, double length)
{
	if (owner->in_batch < 1)
		return;
	owner->reads += owner->in_batch;
	owner->squares += owner->in_batch * owner->in_batch;
	owner->crosses += owner->in_batch * length;
	owner->batches++;
	owner->in_batch = 0;
}

/* Clears bit 0, which is meaningless: instructions are halfword-aligned. */
static uint32_t sampled_address(uint32_t word)
{
	return word == BAREPROF_PC_UNAVAILABLE ? word : word & ~1u;
}

bool batches_add(struct batches *batches, const uint32_t *words, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!count_read(batches, sampled_address(words[i])))
			return false;
		owner_at(batches, sampled_address(words[i]))->in_batch++;
		batches->unavailable += words[i] == BAREPROF_PC_UNAVAILABLE;
	}
	for (size_t i = 0; i < count; i++)
		end_batch(owner_at(batches, sampled_address(words[i])), (double)count);
	batches->reads += count;
	batches->batches++;
	batches->squares += (double)count * (double)count;
	return true;
}

bool batches_are_enough(const struct batches *batches)
{
	return batches->batches >= BATCHES_MIN;
}

/* The variance between batches of one owner's reads. */
static double variance_of(const struct batches *batches, const struct batches_owner *owner)
{
	double share = owner->reads / (double)batches->reads, count = (double)batches->batches;
	double sum = owner->squares - 2 * share * owner->crosses + share * share * batches->squares;

	return sum * count / (count - 1);
}

/* The variance of independent reads is their number. */
static double largest_effect(const struct batches *batches)
{
	double effect = 0, found = 0, reads = 0, variance = 0;

	for (size_t i = 0; i < owner_count(batches); i++) {
		const struct batches_owner *owner = &batches->owners[i];

		if (owner->batches >= BATCHES_MIN) {
			effect = fmax(effect, variance_of(batches, owner) / owner->reads);
		} else {
			found += owner->batches;
			reads += owner->reads;
			variance += variance_of(batches, owner);
		}
	}
	return found >= BATCHES_MIN ? fmax(effect, variance / reads) : effect;
}

double batches_largest_share(const struct batches *batches)
{
	double reads = 0;

	for (size_t i = 0; i < owner_count(batches); i++)
		reads = fmax(reads, batches->owners[i].reads);
	return reads / (double)batches->reads;
}

/* If one owner has all reads, batches do not differ, and the effect is unknown. */
double batches_design_effect(const struct batches *batches)
{
	bool is_known = batches_are_enough(batches) && batches_largest_share(batches) < 1;
	double effect = is_known ? largest_effect(batches) : batches->squares / (double)batches->reads;

	return fmax(effect, 1);
}
