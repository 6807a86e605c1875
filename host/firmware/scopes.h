/* SPDX-License-Identifier: MIT */
/*
 * Which functions have code where, from DWARF: those of the source, and those that the compiler inlined into them.
 * Private to image/.
 */
#ifndef FIRMWARE_SCOPES_H
#define FIRMWARE_SCOPES_H

#include "firmware/line_units.h"

#define SCOPE_NONE SIZE_MAX

/* A function, or a call of one that was replaced by its body. Strings are owned by the image. */
struct scope {
	const char *
	        name; /* as the linker knows it, where that differs; so symbols and DWARF name the same. "": not said */
	const char *file;      /* where it was defined; NULL: not known */
	const char *call_file; /* where the call stood that was replaced; NULL: not known */
	size_t caller;         /* what it was inlined into; SCOPE_NONE: it is a function of its own */
	int line;
	int call_line;
	bool is_external;
};

/* [low, high) is code of the scope itself. Sorted, never overlapping, never empty. */
struct scope_extent {
	uint64_t low, high;
	size_t scope;
};

struct scopes {
	struct scope *items;
	size_t count;
	struct scope_extent *extents;
	size_t extent_count;
};

/* Loads the scopes of all units that have lines; all of *scopes is set. If the budget of the units is exceeded there
 * are none. */
void scopes_load(const struct image *image, struct line_units *units, struct scopes *scopes);
void scopes_free(struct scopes *scopes);

/* The extent that holds address, or NULL. O(log n). */
const struct scope_extent *scopes_extent_at(const struct scopes *scopes, uint64_t address);

#endif
