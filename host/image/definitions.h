/* SPDX-License-Identifier: MIT */
/* What DWARF says of functions, wherever it says it: an entry may leave that to another one. Private to image/. */
#ifndef IMAGE_DEFINITIONS_H
#define IMAGE_DEFINITIONS_H

#include "image/line_units.h"

/* Strings are libdw's; NULL and 0: not said. */
struct definition {
	const char *linkage_name, *name;
	const char *file;
	int line; /* where file defines it */
	bool is_external;
	const char *call_file; /* of an inlined call, where it stood */
	int call_line;
};

struct definitions {
	struct line_units *units;
	void *known; /* a tree of those that others refer to */
};

/*
 * Reads the entry at offset and those that it refers to. Each of these is read once, and references lead only to
 * entries of the tree. False if memory is short.
 */
bool definition_read(struct definitions *definitions, uint64_t offset, struct definition *definition);
void definitions_free(struct definitions *definitions);

#endif
