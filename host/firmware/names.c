/* SPDX-License-Identifier: MIT */
/* Copies of names, and shortening of long ones. */
#include "firmware/private.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

/* A copy of a name. */
struct image_name {
	const char *original; /* the name that was shortened; text itself if the copy shortens none */
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

static int compare_originals(const void *left, const void *right)
{
	uintptr_t a = (uintptr_t)((const struct image_name *)left)->original;
	uintptr_t b = (uintptr_t)((const struct image_name *)right)->original;

	return (a > b) - (a < b);
}

/* Adds a copy of name, which shortens original unless that is NULL. NULL when out of memory. */
static const char *keep_name(const struct image *image, const char *name, const char *original)
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
	kept->original = original == NULL ? kept->text : original;
	if (tsearch(kept, &image->private->names, compare_originals) != NULL)
		return kept->text;
	free(kept);
	return NULL;
}

const char *image_keep_name(const struct image *image, const char *name)
{
	return keep_name(image, name, NULL);
}

const char *image_short_name(const struct image *image, const char *name)
{
	if (strnlen(name, IMAGE_NAME_MAX + 1) <= IMAGE_NAME_MAX)
		return name;
	const struct image_name key = {.original = name};
	struct image_name **found = tfind(&key, &image->private->names, compare_originals);
	return found == NULL ? keep_name(image, name, name) : (*found)->text;
}

void image_names_free(void *names)
{
	tdestroy(names, free);
}
