/* SPDX-License-Identifier: MIT */
/* Patterns for names of functions. */
#include "diff/rules/rule.h"

#include <fnmatch.h>
#include <string.h>

/* The offset of the parameters of a demangled name, which may contain parentheses; its length if it has none. */
static size_t find_parameters(const char *demangled)
{
	const char *end = strrchr(demangled, ')');
	size_t depth = 0;
	for (const char *at = end; at != NULL && at > demangled; at--) {
		depth += *at == ')';
		depth -= *at == '(';
		if (depth == 0)
			return (size_t)(at - demangled);
	}
	return strlen(demangled);
}

static bool fits_demangled(const char *pattern, const char *demangled)
{
	char bare[DEMANGLE_NAME_MAX + 1];
	size_t length = find_parameters(demangled);
	memcpy(bare, demangled, length);
	bare[length] = '\0';
	return fnmatch(pattern, demangled, 0) == 0 || fnmatch(pattern, bare, 0) == 0;
}

bool rule_pattern_fits(const char *pattern, const char *name, struct demangler *names)
{
	/* A name may contain characters that are special in patterns: operator[]. */
	if (demangler_is_called(names, name, pattern) || fnmatch(pattern, name, 0) == 0)
		return true;
	const char *demangled = demangler_find(names, name);
	return demangled != NULL && fits_demangled(pattern, demangled);
}
