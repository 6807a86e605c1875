/* SPDX-License-Identifier: MIT */
/* Copies of names, and shortening of long ones. */
#include "firmware/private.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

struct image_name {
	struct image_name *next;
	char text[];
};

/* The length to cut a long name to, without splitting a UTF-8 character. */
static size_t cut_length(const char *name)
{
	size_t limit = IMAGE_NAME_MAX - strlen(IMAGE_NAME_CUT);
	size_t length = limit;
	while (length > limit - 3 && ((unsigned char)name[length] & 0xC0) == 0x80)
		length--;
	return length;
}

const char *image_keep_name(const struct image *image, const char *name)
{
	size_t length = strnlen(name, IMAGE_NAME_MAX + 1);
	const char *mark = length > IMAGE_NAME_MAX ? IMAGE_NAME_CUT : "";
	size_t mark_size = strlen(mark) + 1;
	if (length > IMAGE_NAME_MAX)
		length = cut_length(name);
	struct image_name *kept = malloc(sizeof *kept + length + mark_size);
	if (kept == NULL)
		return NULL;
	memcpy(kept->text, name, length);
	memcpy(kept->text + length, mark, mark_size);
	kept->next = image->private->names;
	image->private->names = kept;
	return kept->text;
}

/* A long name and its shortened copy. */
struct cut_name {
	const char *name;
	const char *kept;
};

static int compare_cut_names(const void *left, const void *right)
{
	uintptr_t a = (uintptr_t)((const struct cut_name *)left)->name;
	uintptr_t b = (uintptr_t)((const struct cut_name *)right)->name;
	return (a > b) - (a < b);
}

/* Shortens each long name once. */
static const char *cut_once(const struct image *image, const char *name)
{
	struct cut_name *cut = malloc(sizeof *cut);
	if (cut == NULL)
		return NULL;
	*cut = (struct cut_name){.name = name};
	struct cut_name **found = tsearch(cut, &image->private->cut_names, compare_cut_names);
	if (found == NULL || *found != cut)
		free(cut);
	if (found == NULL)
		return NULL;
	if ((*found)->kept == NULL)
		(*found)->kept = image_keep_name(image, name);
	return (*found)->kept;
}

const char *image_short_name(const struct image *image, const char *name)
{
	return strnlen(name, IMAGE_NAME_MAX + 1) <= IMAGE_NAME_MAX ? name : cut_once(image, name);
}

void image_names_free(struct image_name *names, void *cut_names)
{
	tdestroy(cut_names, free);
	while (names != NULL) {
		struct image_name *next = names->next;
		free(names);
		names = next;
	}
}
