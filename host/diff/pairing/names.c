/* SPDX-License-Identifier: MIT */
/* See names.h. */
#include "diff/pairing/names.h"

#include <string.h>

/* Suffixes, with or without a number. GCC: clone_function_name() and its callers; LLVM: hot-cold splitting, ThinLTO's
 * promotion. */
static const struct {
	const char *text;
	bool is_clone;
} suffixes[] = {
        {".constprop", true}, {".isra", true},  {".part", true},      {".cold", true},
        {".clone", true},     {".llvm", false}, {".lto_priv", false},
};

/* The length without a final dot and number. */
static size_t without_number(const char *name, size_t length)
{
	size_t rest = length;

	while (rest > 0 && name[rest - 1] >= '0' && name[rest - 1] <= '9')
		rest--;
	return rest < length && rest > 0 && name[rest - 1] == '.' ? rest - 1 : length;
}

static bool has_suffix(const char *name, size_t length, const char *suffix)
{
	size_t size = strlen(suffix);

	return length > size && memcmp(name + length - size, suffix, size) == 0;
}

size_t name_base_length(const char *name, bool *is_clone)
{
	size_t length = strlen(name);

	*is_clone = false;
	for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes;) {
		size_t rest = without_number(name, length);

		if (has_suffix(name, rest, suffixes[i].text)) {
			length = rest - strlen(suffixes[i].text);
			*is_clone |= suffixes[i].is_clone;
			i = 0;
		} else {
			i++;
		}
	}
	return length;
}

const char *path_tail(const char *path, unsigned components)
{
	const char *tail = path + strlen(path);

	for (; tail > path; tail--)
		if ((tail[-1] == '/' || tail[-1] == '\\') && --components == 0)
			break;
	return tail;
}

int compare_texts(const char *left, const char *right)
{
	if (left == NULL || right == NULL)
		return (left != NULL) - (right != NULL);
	return strcmp(left, right);
}
