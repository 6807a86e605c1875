/* SPDX-License-Identifier: MIT */
/*
 * The DWARF functions that own each address: functions of the source and calls inlined into them. Private to firmware/.
 */
#ifndef FIRMWARE_SCOPES_H
#define FIRMWARE_SCOPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SCOPE_NONE SIZE_MAX

/* A function or an inlined call. Strings are owned by the image. */
struct scope {
	const char *name;      /* the linkage name if there is one, so that symbols and DWARF agree; "": unnamed */
	const char *file;      /* where it is defined; NULL: unknown */
	const char *call_file; /* where the inlined call is; NULL: unknown */
	size_t caller;         /* the scope that it was inlined into; SCOPE_NONE: not inlined */
	int line;
	int call_line;
	bool is_external;
};

/* [low, high) belongs to the scope itself. Sorted, never overlapping, never empty. */
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

#endif
