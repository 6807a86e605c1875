/* SPDX-License-Identifier: MIT */
/* Names and places of functions in DWARF, also if an entry refers to another one for them. Private to image/. */
#ifndef FIRMWARE_DEFINITIONS_H
#define FIRMWARE_DEFINITIONS_H

#include "firmware/line_units.h"

/* Strings are owned by libdw. NULL and 0: not stated. */
struct definition {
	const char *linkage_name, *name;
	const char *file;
	int line; /* where file defines it */
	bool is_external;
	const char *call_file; /* the place of an inlined call */
	int call_line;
};

struct definitions {
	struct line_units *units;
	void *known; /* a search tree of the entries that others refer to */
};

/*
 * Reads the entry at offset and those that it refers to. Each of these is read once, and references lead only to
 * entries of the tree. False if memory is short.
 */
bool definition_read(struct definitions *definitions, uint64_t offset, struct definition *definition);
void definitions_free(struct definitions *definitions);

#endif
