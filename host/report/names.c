/* SPDX-License-Identifier: MIT */
/* See names.h. */
#include "report/names.h"

#include <stdlib.h>

struct names {
	struct demangler *shown;
	struct demangler *called; /* as in the source, in any style */
};

struct names *names_create(struct demangle_style style)
{
	struct names *names = calloc(1, sizeof *names);
	struct demangle_style own_style = {0};

	if (names == NULL || !demangle_find_style("auto", &own_style)) {
		names_free(names);
		return NULL;
	}
	names->shown = demangler_create(style);
	names->called = demangler_create(own_style);
	if (names->shown != NULL && names->called != NULL)
		return names;
	names_free(names);
	return NULL;
}

void names_free(struct names *names)
{
	if (names == NULL)
		return;
	demangler_free(names->shown);
	demangler_free(names->called);
	free(names);
}

bool names_is_called(struct names *names, const char *name, const char *wanted)
{
	return demangler_is_called(names->called, name, wanted);
}

const char *names_find(struct names *names, const char *name)
{
	const char *demangled = demangler_find(names->shown, name);

	return demangled == NULL ? name : demangled;
}
