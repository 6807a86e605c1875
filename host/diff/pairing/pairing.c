/* SPDX-License-Identifier: MIT */
/* The stages of pairing in their order. See pairing.h. */
#include "diff/pairing/pairing.h"

#include "diff/pairing/fill.h"
#include "diff/pairing/groups.h"
#include "diff/pairing/inlined.h"
#include "diff/pairing/stages.h"

#include <stdlib.h>

static enum status out_of_memory(const struct image *image, struct error *error)
{
	return status_fail(error, "%s: out of memory for %zu functions", image->path, image->function_count);
}

static void free_groups(struct groups groups[BUILD_COUNT])
{
	for (enum build build = 0; build < BUILD_COUNT; build++)
		groups_free(&groups[build]);
}

/* Groups of both images as they are divided now, paired by name. */
static enum status pair_names(struct image *images[BUILD_COUNT], struct groups groups[BUILD_COUNT], struct error *error)
{
	free_groups(groups);
	for (enum build build = 0; build < BUILD_COUNT; build++)
		if (!groups_find(images[build], build, &groups[build]))
			return out_of_memory(images[build], error);
	return pair_by_name(groups) ? STATUS_OK : out_of_memory(images[BUILD_OLD], error);
}

/* DWARF names what was inlined, so that it comes before what only looks alike. */
static enum status pair_inlined(struct image *images[BUILD_COUNT], struct groups groups[BUILD_COUNT],
                                struct error *error)
{
	bool is_changed;
	enum status status = outline_all(images, groups, &is_changed, error);
	if (status != STATUS_OK || !is_changed)
		return status;
	status = pair_names(images, groups, error);
	if (status == STATUS_OK)
		status = outline_moved(images, groups, error);
	return status == STATUS_OK ? pair_names(images, groups, error) : status;
}

static enum status pair_all(struct image *images[BUILD_COUNT], struct groups groups[BUILD_COUNT],
                            struct pairing *pairing, struct error *error)
{
	enum status status = pair_names(images, groups, error);
	if (status == STATUS_OK)
		status = pair_inlined(images, groups, error);
	if (status != STATUS_OK)
		return status;
	bool is_done = pair_by_place(groups) && pair_by_code(groups) && pairing_fill(groups, pairing);
	return is_done ? STATUS_OK : out_of_memory(images[BUILD_OLD], error);
}

enum status pairing_find(struct image *old, struct image *new, struct pairing *pairing, struct error *error)
{
	struct image *images[BUILD_COUNT] = {old, new};
	struct groups groups[BUILD_COUNT] = {{.items = NULL}, {.items = NULL}};
	*pairing = (struct pairing){.pairs = NULL};
	enum status status = pair_all(images, groups, pairing, error);
	free_groups(groups);
	return status;
}

void pairing_free(struct pairing *pairing)
{
	for (enum build build = 0; build < BUILD_COUNT; build++) {
		free(pairing->owners[build]);
		free(pairing->pair_of[build]);
	}
	for (size_t i = 0; i < pairing->kept_count; i++)
		free(pairing->kept[i]);
	free(pairing->kept);
	free(pairing->pairs);
	*pairing = (struct pairing){.pairs = NULL};
}

size_t pairing_hosts(const struct pairing *pairing, const struct image *image, size_t pair, enum build build,
                     const char **names, size_t capacity)
{
	const size_t *pair_of = pairing->pair_of[build], *owners = pairing->owners[build];
	bool *holds = calloc(image->function_count + 1, sizeof *holds);
	size_t count = 0;
	for (size_t i = 0; holds != NULL && i < image->function_count; i++)
		if (pair_of[i] == pair && pair_of[image_containing_function(image, i)] != pair)
			holds[owners[image_containing_function(image, i)]] = true;
	for (size_t i = 0; holds != NULL && i < image->function_count; i++) {
		if (!holds[i])
			continue;
		if (count < capacity)
			names[count] = pairing->pairs[pair_of[i]].names[build];
		count++;
	}
	free(holds);
	return count;
}

const char *pairing_how_text(enum pairing_how how)
{
	static const char *const texts[] = {
	        [PAIRED_BY_NAME] = NULL,
	        [PAIRED_BY_MOVED_NAME] = "by name alone",
	        [PAIRED_BY_CLONE] = "by name without suffix",
	        [PAIRED_BY_PLACE] = "by file and line",
	        [PAIRED_BY_CODE] = "by code",
	        [PAIRED_NOT] = NULL,
	};
	return texts[how];
}
