/* SPDX-License-Identifier: MIT */
/* The source lines of the addresses on stacks. Private to profile/. */
#ifndef PROFILE_LINES_LINE_PLACES_H
#define PROFILE_LINES_LINE_PLACES_H

#include "base/array.h"
#include "profile/profile.h"

/* A line of code at a place: the line of the code itself, or of a call that the code was inlined into. */
struct mention {
	const char *file;
	int line;
	size_t node;
	size_t total; /* index into the profile's line totals */
};

/* An address and its mentions. */
struct line_place {
	uint64_t address;
	size_t node;
	size_t first, count;
};

struct line_places {
	struct profile *profile;
	struct line_place *calls; /* by address; none twice */
	size_t call_count;
	struct line_place *code; /* by index of the sampled code */
	struct mention *mentions;
	size_t mention_count;
};

/*
 * Finds the lines of the calls on the stacks of a measured profile and of its sampled code, and adds a total of 0 to
 * the profile for each line. False when out of memory. The caller frees places->mentions, also after a failure; other
 * arrays are in scratch.
 */
bool line_places_find(struct line_places *places, struct profile *profile, struct scratch *scratch);

/* The place of a call on a stack; NULL: its address is unknown. */
const struct line_place *line_places_of_call(const struct line_places *places, uint64_t address);

/* The index of the line total of one of the place's mentions. */
size_t line_places_total(const struct line_places *places, const struct line_place *place, size_t index);

#endif
