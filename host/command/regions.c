/* SPDX-License-Identifier: MIT */
/* See regions.h. */
#include "command/regions.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Parses an address, hexadecimal with 0x or decimal, that must end at `end`. */
static bool parse_region_address(const char *text, const char *end, uint64_t *address)
{
	bool is_hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	const char *digits = is_hex ? text + 2 : text;
	size_t length = strspn(digits, is_hex ? "0123456789abcdefABCDEF" : "0123456789");

	errno = 0;
	*address = strtoull(digits, NULL, is_hex ? 16 : 10);
	return length > 0 && digits + length == end && errno == 0;
}

static bool parse_region(const char *value, struct image_region *region, size_t *name_length)
{
	const char *equals = strrchr(value, '='), *dash = equals != NULL ? strchr(equals, '-') : NULL;

	if (dash == NULL || equals == value)
		return false;
	*name_length = (size_t)(equals - value);
	return parse_region_address(equals + 1, dash, &region->start) &&
	       parse_region_address(dash + 1, value + strlen(value), &region->end) && region->start < region->end;
}

/* The index of a region in the order of addresses; SIZE_MAX if it overlaps another region, whose name is then
 * *other. */
static size_t find_region_place(const struct region_options *options, const struct image_region *region,
                                const char **other)
{
	size_t place = 0;

	for (size_t i = 0; i < options->count; i++) {
		const struct image_region *given = &options->regions[i];

		*other = given->name;
		if (given->start < region->end && region->start < given->end)
			return SIZE_MAX;
		place += given->start < region->start;
	}
	return place;
}

static enum status take_region(const struct given_option *given, struct error *error)
{
	struct region_options *options = given->target;
	struct image_region region;
	size_t name_length;
	const char *other = NULL;

	if (!parse_region(given->value, &region, &name_length))
		return option_refuse(
		        given, given->value,
		        "NAME=START-END, such as RAM=0x20000000-0x20010000, where END is the first address "
		        "after the region",
		        error);
	if (options->count == IMAGE_REGIONS_MAX)
		return command_usage(given->command, error, "--%s may be given at most %d times", given->row->name,
		                     IMAGE_REGIONS_MAX);
	size_t place = find_region_place(options, &region, &other);
	if (place == SIZE_MAX)
		return command_usage(given->command, error,
		                     "--%s=%.80s overlaps %.80s: END is the first address after it", given->row->name,
		                     given->value, other);
	char *name = strndup(given->value, name_length);
	if (name == NULL)
		return status_fail(error, "out of memory for --%s", given->row->name);
	options->names[options->count] = name;
	region.name = name;
	memmove(&options->regions[place + 1], &options->regions[place], (options->count - place) * sizeof region);
	options->regions[place] = region;
	options->count++;
	options->is_wanted = true;
	return STATUS_OK;
}

const struct command_option region_options[] = {
        {'\0', "by-region", NULL, "the time in each region of memory, even if there is only one",
         .take = option_take_switch, .member = offsetof(struct region_options, is_wanted)},
        {'\0', "region", "NAME=START-END", "a region of memory, END excluded (default: executable segments)",
         .take = take_region},
        {0},
};

void regions_free(struct region_options *options)
{
	for (size_t i = 0; i < options->count; i++)
		free(options->names[i]);
}
