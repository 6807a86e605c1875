/* SPDX-License-Identifier: MIT */
/* See part_names.h. */
#include "profile/part_names.h"

#include "base/text/text.h"

#include <inttypes.h>

static const char *format_number(uint32_t number, char text[PART_NAME_MAX])
{
	if (number == CAPTURE_NO_CONTEXT)
		return "<no context>";
	snprintf(text, PART_NAME_MAX, "<context %" PRIu32 ">", number);
	return text;
}

void part_names_print_context(FILE *stream, uint32_t number, const char *name, bool is_rest)
{
	char text[PART_NAME_MAX];

	text_print(stream, name);
	if (!is_rest)
		fprintf(stream, "%s%s", name[0] != '\0' ? " " : "", format_number(number, text));
}

void part_names_print(FILE *stream, const struct profile_part *part)
{
	if (part->of_context)
		part_names_print_context(stream, part->number, part->name, part->is_rest);
	else
		fprintf(stream, "<core %u>", part->core);
}

const char *part_names_format_context(const struct profile_part *part, char text[PART_NAME_MAX])
{
	return part->name[0] != '\0' ? part->name : format_number(part->number, text);
}

const char *part_names_format(const struct profile_part *part, char text[PART_NAME_MAX])
{
	char context[PART_NAME_MAX];

	if (!part->of_core)
		return part_names_format_context(part, text);
	snprintf(text, PART_NAME_MAX, "core %u%s%.32s", part->core, part->of_context ? ", " : "",
	         part->of_context ? part_names_format_context(part, context) : "");
	return text;
}
