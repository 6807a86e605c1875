/* SPDX-License-Identifier: MIT */
/* See names.h. */
#include "output/names.h"

#include "text/text.h"

#include <stdlib.h>

/* What is known of a node's name. */
struct known_name {
	bool is_known;
	char *demangled; /* NULL: it is not mangled */
};

struct names {
	struct demangle_style style;
	size_t count;
	struct known_name nodes[];
};

struct names *names_create(const struct profile *profile, struct demangle_style style)
{
	struct names *names = calloc(1, sizeof *names + profile->node_count * sizeof *names->nodes);
	if (names == NULL)
		return NULL;
	names->style = style;
	names->count = profile->node_count;
	return names;
}

void names_free(struct names *names)
{
	for (size_t i = 0; names != NULL && i < names->count; i++)
		free(names->nodes[i].demangled);
	free(names);
}

const char *names_of_node(struct names *names, const struct profile *profile, size_t node)
{
	const char *name = profile->nodes[node].name;
	/* Nodes that a part has beyond those of the whole are no functions. */
	if (node >= names->count || profile->nodes[node].kind != PROFILE_FUNCTION)
		return name;
	struct known_name *known = &names->nodes[node];
	if (!known->is_known)
		*known = (struct known_name){.is_known = true, .demangled = demangle_name(name, names->style)};
	return known->demangled == NULL ? name : known->demangled;
}

void names_print(const struct names *names, FILE *stream, const char *name)
{
	char *demangled = demangle_name(name, names->style);
	text_print(stream, demangled == NULL ? name : demangled);
	free(demangled);
}
