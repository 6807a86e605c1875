/* SPDX-License-Identifier: MIT */
/*
 * Pairing of two firmware ELFs: the first four bytes are the size of the first one, the rest is the second. If one
 * cannot be read, the other is paired with itself.
 */
#include "fuzz.h"

#include "diff/pairing/pairing.h"

/* The guarantees of pairing.h. */
static void check_build(const struct pairing *pairing, const struct image *image, enum build build)
{
	for (size_t i = 0; i < image->function_count; i++) {
		size_t owner = pairing->owners[build][i], pair = pairing->pair_of[build][i];

		require(owner < image->function_count && pair < pairing->count &&
		        pairing->owners[build][owner] == owner && pairing->pair_of[build][owner] == pair &&
		        pairing->pairs[pair].names[build] != NULL);
	}
	for (size_t i = 0; i < pairing->count; i++) {
		const struct pairing_pair *pair = &pairing->pairs[i];
		const char *functions[4];
		bool is_there = pair->names[build] != NULL;

		require(pair->is_inlined[build] == (is_there && pair->functions[build] == 0));
		require(!pair->is_inlined[build] || pairing_inlined_into(pairing, image, i, build, functions, 4) != 0);
	}
}

static void pair(struct image *old, struct image *new)
{
	struct pairing pairing;
	struct error error;

	require(pairing_find(old, new, &pairing, &error) == STATUS_OK);
	check_build(&pairing, old, BUILD_OLD);
	check_build(&pairing, new, BUILD_NEW);
	pairing_free(&pairing);
}

static struct image *open_or(const uint8_t *bytes, size_t size, const uint8_t *other_bytes, size_t other_size)
{
	struct image *image;
	struct error error;

	if (image_decode("fuzz.elf", copy_of(bytes, size), size, &image, &error) == STATUS_OK ||
	    image_decode("fuzz.elf", copy_of(other_bytes, other_size), other_size, &image, &error) == STATUS_OK)
		return image;
	return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 4)
		return 0;
	size_t wanted = data[0] | (size_t)data[1] << 8 | (size_t)data[2] << 16 | (size_t)data[3] << 24;
	const uint8_t *bytes = data + 4;
	size_t old_size = wanted < size - 4 ? wanted : size - 4, new_size = size - 4 - old_size;
	struct image *old = open_or(bytes, old_size, bytes + old_size, new_size);
	struct image *new = open_or(bytes + old_size, new_size, bytes, old_size);
	if (old != NULL && new != NULL)
		pair(old, new);
	image_close(old);
	image_close(new);
	return 0;
}
