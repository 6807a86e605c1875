/* SPDX-License-Identifier: MIT */
/* See numbered.h. */
#include "target/pull/numbered.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PLACE "%d"

/* The start of a name's suffix, or its end: not the dot of a folder or of a hidden file. */
static size_t find_suffix(const char *name)
{
	const char *slash = strrchr(name, '/');
	const char *last = slash != NULL ? slash + 1 : name;
	const char *dot = strrchr(last, '.');

	return dot != NULL && dot != last ? (size_t)(dot - name) : strlen(name);
}

char *numbered_name(const char *name, uint32_t number)
{
	const char *place = strstr(name, PLACE);
	size_t before = place != NULL ? (size_t)(place - name) : find_suffix(name);
	const char *behind = place != NULL ? place + strlen(PLACE) : name + before;
	size_t capacity = strlen(name) + sizeof "-4294967295";
	char *numbered = malloc(capacity);

	if (numbered != NULL)
		snprintf(numbered, capacity, "%.*s%s%04" PRIu32 "%s", (int)before, name, place != NULL ? "" : "-",
		         number, behind);
	return numbered;
}

char *numbered_new_name(const char *name, uint32_t *number)
{
	struct stat ignored;

	for (;; ++*number) {
		char *numbered = numbered_name(name, *number);
		if (numbered == NULL || lstat(numbered, &ignored) != 0)
			return numbered;
		free(numbered);
	}
}
