/* SPDX-License-Identifier: MIT */
/* See inlined.h. */
#include "pairing/inlined.h"

#include "array/grown.h"

#include <stdlib.h>

struct names {
	const char **items;
	size_t count;
	bool is_short_of_memory;
};

static void add_name(struct names *names, const char *name)
{
	const char **items = grown(names->items, sizeof *items, names->count);
	if (items == NULL) {
		names->is_short_of_memory = true;
		return;
	}
	names->items = items;
	items[names->count++] = name;
}

static void add_names_left(struct names *names, const struct groups *groups)
{
	for (size_t i = 0; i < groups->count; i++)
		if (groups->items[i].partner == NULL)
			add_name(names, groups->items[i].main->name);
}

static void add_names_outlined(struct names *names, const struct image *image)
{
	for (size_t i = 0; i < image->function_count; i++)
		if (image->functions[i].host != IMAGE_NO_HOST && image->functions[i].first == i)
			add_name(names, image->functions[i].name);
}

static enum status outline(struct image *image, const struct names *names, struct error *error)
{
	if (names->is_short_of_memory)
		return status_fail(error, "%s: out of memory for its inlined functions", image->path);
	return names->count == 0 ? STATUS_OK : image_outline(image, names->items, names->count, error);
}

/* Adds the names that are left in the other build, and were inlined in this one. The image is divided by them then. */
static enum status find_outlined(struct image *image, const struct groups *other, struct names *outlined,
                                 struct error *error)
{
	struct names left = {.items = NULL};
	add_names_left(&left, other);
	enum status status = outline(image, &left, error);
	if (status == STATUS_OK)
		add_names_outlined(outlined, image);
	free(left.items);
	return status;
}

enum status outline_vanished(struct image *images[BUILD_COUNT], const struct groups groups[BUILD_COUNT],
                             bool *is_changed, struct error *error)
{
	struct names outlined = {.items = NULL};
	enum status status = find_outlined(images[BUILD_NEW], &groups[BUILD_OLD], &outlined, error);
	if (status == STATUS_OK)
		status = find_outlined(images[BUILD_OLD], &groups[BUILD_NEW], &outlined, error);
	for (enum build build = 0; build < BUILD_COUNT && status == STATUS_OK; build++)
		status = outline(images[build], &outlined, error);
	*is_changed = outlined.count > 0;
	free(outlined.items);
	return status;
}
