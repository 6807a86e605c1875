/* SPDX-License-Identifier: MIT */
/* See options.h. */
#include "options.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const struct option_row *find(const struct option_row *rows, size_t count, const char *name, size_t length)
{
	for (size_t i = 0; i < count; i++)
		if (strlen(rows[i].name) == length && strncmp(rows[i].name, name, length) == 0)
			return &rows[i];
	return NULL;
}

static bool set(const struct option_row *row, const char *text)
{
	char *end;

	if (row->kind == OPTION_TEXT) {
		*(const char **)row->value = text;
		return true;
	}
	if (row->kind == OPTION_FLAG)
		return false;
	*(uint64_t *)row->value = strtoull(text, &end, 0);
	return end != text && *end == '\0';
}

bool options_set(const struct option_row *rows, size_t count, const char *text)
{
	const size_t length = strcspn(text, "=");
	const struct option_row *row = text[length] == '=' ? find(rows, count, text, length) : NULL;

	return row != NULL && set(row, text + length + 1);
}

int options_read(const struct option_row *rows, size_t count, int argc, char **argv)
{
	int i = 1;

	for (; i < argc && strncmp(argv[i], "--", 2) == 0; i++) {
		const struct option_row *row = find(rows, count, argv[i] + 2, strlen(argv[i] + 2));

		if (row != NULL && row->kind == OPTION_FLAG)
			*(bool *)row->value = true;
		else if (row != NULL && i + 1 < argc && set(row, argv[i + 1]))
			i++;
		else
			break;
	}
	return i;
}
