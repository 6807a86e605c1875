/* SPDX-License-Identifier: MIT */
/* See views.h. */
#include "report/views.h"

#include <inttypes.h>

size_t views_part_count(const struct profile *profile)
{
	return profile->part_count == 0 ? 1 : profile->part_count;
}

const struct profile *views_part(const struct profile *profile, size_t index, char name[VIEWS_PART_NAME_MAX])
{
	name[0] = '\0';
	if (profile->part_count == 0)
		return profile;
	const struct profile_part *part = &profile->parts[index];
	if (part->is_rest)
		snprintf(name, VIEWS_PART_NAME_MAX, "<other contexts>");
	else if (part->number == CAPTURE_NO_CONTEXT)
		snprintf(name, VIEWS_PART_NAME_MAX, "<no context>");
	else if (part->name[0] != '\0')
		snprintf(name, VIEWS_PART_NAME_MAX, "%s", part->name);
	else
		snprintf(name, VIEWS_PART_NAME_MAX, "<context %" PRIu32 ">", part->number);
	return part->profile;
}

struct names *views_names_create(const struct profile *profile, struct error *error)
{
	struct demangle_style style = {0};
	struct names *names = demangle_find_style("auto", &style) ? names_create(style) : NULL;

	if (names == NULL)
		status_fail(error, "out of memory for the names of %zu functions", profile->node_count);
	return names;
}

const char *views_name(struct names *names, const struct profile *profile, size_t node)
{
	return node == PROFILE_NONE ? VIEWS_CUT_NAME : names_find(names, profile->nodes[node].name);
}
