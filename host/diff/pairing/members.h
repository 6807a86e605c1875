/* SPDX-License-Identifier: MIT */
/* The functions of an image one by one, with everything that distinguishes functions of the same name. Private to
 * pairing/. */
#ifndef DIFF_PAIRING_MEMBERS_H
#define DIFF_PAIRING_MEMBERS_H

#include "firmware/image.h"

enum member_kind {
	MEMBER_GLOBAL,
	MEMBER_LOCAL,
	MEMBER_CLONE,   /* of a function that may be any of its name */
	MEMBER_INLINED, /* outlined from one function */
};

#define MEMBER_UNGROUPED SIZE_MAX

struct member {
	const char *name; /* without what compilers add */
	const char *full; /* as in the image */
	size_t function;  /* index of its first range */
	enum member_kind kind;
	bool is_local;
	const char *source; /* as of struct image_entry */
	size_t unit;
	const char *file; /* file of its definition, by DWARF; NULL: unknown, or not looked up yet */
	int line;
	bool is_located;
	size_t group;
};

struct members {
	struct member *items; /* by name, then by kind, then by function */
	size_t count;
	char **kept; /* names that are not in an image */
	size_t kept_count;
	struct image_entry *entries;
	size_t entry_count;
};

/* False if memory is short; freed by members_free(), also then. */
bool members_find(const struct image *image, struct members *members);
void members_free(struct members *members);

/* The order of members of one name: by kind, then by function. */
int member_compare_order(const struct member *left, const struct member *right);

/* Looks up file and line, once; inlined functions have them from the beginning. */
void member_locate(const struct image *image, struct member *member);

/* Where it is defined, if that has been looked up, else its source; NULL: both are unknown. */
const char *member_file(const struct member *member);

#endif
