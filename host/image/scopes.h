/* SPDX-License-Identifier: MIT */
/*
 * Which functions have code where, from DWARF: those of the source, and those that the compiler inlined into them.
 * Private to image/.
 */
#ifndef IMAGE_SCOPES_H
#define IMAGE_SCOPES_H

#include "image/line_units.h"

#define SCOPE_NONE SIZE_MAX

/* A function, or a call of one that was replaced by its body. */
struct scope {
	Dwarf_Die entry;
	size_t caller; /* what it was inlined into; SCOPE_NONE: it is a function of its own */
	size_t unit;   /* of the line units */
};

/* [low, high) is code of the scope itself. Sorted, never overlapping, never empty. */
struct scope_stretch {
	uint64_t low, high;
	size_t scope;
};

struct scopes {
	struct scope *items;
	size_t count;
	struct scope_stretch *stretches;
	size_t stretch_count;
};

/*
 * Loads the scopes of all units; all of *scopes is set. Time and memory are bounded by the size of the debug sections:
 * ranges beyond that are left out.
 */
void scopes_load(const struct image *image, const struct line_units *units, struct scopes *scopes);
void scopes_free(struct scopes *scopes);

/* The stretch that holds address, or NULL. O(log n). */
const struct scope_stretch *scopes_stretch_at(const struct scopes *scopes, uint64_t address);

#endif
