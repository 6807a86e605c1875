/* SPDX-License-Identifier: MIT */
/* See views.h. */
#include "report/views.h"
#include "profile/split.h"

size_t views_part_count(const struct profile *profile)
{
	return profile->part_count == 0 ? 1 : profile->part_count;
}

const struct profile *views_part(const struct profile *profile, size_t index, char text[PART_NAME_MAX],
                                 const char **name)
{
	const struct profile_part *part = profile->part_count == 0 ? NULL : &profile->parts[index];

	*name = part == NULL ? "" : part_names_format(part, text);
	return part == NULL ? profile : part->profile;
}

void views_each_function(const struct profile *profile, views_function_found *found, void *context)
{
	for (size_t i = 0; i < profile->node_count; i++)
		found(context, profile, i);
	found(context, profile, PROFILE_NONE);
	for (size_t i = 0; i < profile->part_count; i++)
		for (size_t j = profile->node_count; j < profile->parts[i].profile->node_count; j++)
			found(context, profile->parts[i].profile, j);
}

size_t views_function_number(const struct profile *whole, size_t first_own, size_t node)
{
	if (node == PROFILE_NONE)
		return whole->node_count;
	return node < whole->node_count ? node : node - whole->node_count + first_own;
}

size_t views_first_own(const struct profile *whole)
{
	return whole->node_count + 1;
}

size_t views_next_own(const struct profile *whole, const struct profile *part, size_t first_own)
{
	return first_own + part->node_count - whole->node_count;
}

struct demangler *views_names_create(const struct profile *profile, struct error *error)
{
	struct demangle_style style = {0};
	struct demangler *names = demangle_find_style("auto", &style) ? demangler_create(style) : NULL;

	if (names == NULL)
		status_fail(error, "out of memory for the names of %zu functions", profile->node_count);
	return names;
}

const char *views_name(struct demangler *names, const struct profile *profile, size_t node)
{
	return node == PROFILE_NONE ? VIEWS_CUT_NAME : demangler_name(names, profile->nodes[node].name);
}

const char *views_paths_title(const struct profile *profile)
{
	return profile->measurement != NULL ? "paths as measured from stacks" : "paths as gprof's propagation implies";
}

const char *views_format_paths_text(const struct profile *profile, char text[VIEWS_PATHS_TEXT_MAX])
{
	double part = profile_part_in_cycles(profile, NULL);

	if (profile->measurement != NULL)
		return "paths as measured from stacks";
	int length = snprintf(text, VIEWS_PATHS_TEXT_MAX,
	                      "paths as gprof's propagation implies: calls of a function are assumed to cost the same");
	if (part >= VIEWS_CYCLES_PART)
		snprintf(text + length, VIEWS_PATHS_TEXT_MAX - (size_t)length, "; " VIEWS_IN_CYCLES, 100 * part);
	return text;
}
