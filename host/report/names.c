/* SPDX-License-Identifier: MIT */
/* See names.h. */
#include "report/names.h"

#include "base/text/text.h"

#include <stdlib.h>

struct names {
	size_t count; /* of nodes */
	struct demangler *shown;
	struct demangler *called; /* as in the source, in any style */
};

struct names *names_create(const struct profile *profile, struct demangle_style style)
{
	struct names *names = calloc(1, sizeof *names);
	struct demangle_style own_style = {0};

	if (names == NULL || !demangle_find_style("auto", &own_style)) {
		names_free(names);
		return NULL;
	}
	names->count = profile->node_count;
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

const char *names_of_node(struct names *names, const struct profile *profile, size_t node)
{
	const char *name = profile->nodes[node].name;

	/* Nodes that only a part has are not functions. */
	if (node >= names->count || profile->nodes[node].kind != PROFILE_FUNCTION)
		return name;
	const char *demangled = demangler_find(names->shown, name);
	return demangled == NULL ? name : demangled;
}

bool names_is_called(struct names *names, const char *name, const char *wanted)
{
	return demangler_is_called(names->called, name, wanted);
}

void names_print(struct names *names, FILE *stream, const char *name)
{
	const char *demangled = demangler_find(names->shown, name);

	text_print(stream, demangled == NULL ? name : demangled);
}
