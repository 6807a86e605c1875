/* SPDX-License-Identifier: MIT */
/* The options for regions of memory. Private to command/. */
#ifndef COMMAND_REGIONS_H
#define COMMAND_REGIONS_H

#include "command/captures.h"
#include "command/options.h"

struct region_options {
	bool is_wanted;                                 /* --by-region, or a region was given */
	struct image_region regions[IMAGE_REGIONS_MAX]; /* sorted */
	char *names[IMAGE_REGIONS_MAX];
	size_t count;
};

/* The table of these options. The target is a struct region_options, freed by regions_free(). */
extern const struct command_option region_options[];
void regions_free(struct region_options *options);

#endif
