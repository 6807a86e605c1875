/* SPDX-License-Identifier: MIT */
/* The functions of one image, grouped with their clones for pairing. Private to pairing/. */
#ifndef DIFF_PAIRING_GROUPS_H
#define DIFF_PAIRING_GROUPS_H

#include "diff/pairing/pairing.h"

enum member_kind {
	MEMBER_GLOBAL,
	MEMBER_LOCAL,
	MEMBER_CLONE,   /* clone of an unknown function of this name */
	MEMBER_INLINED, /* split off from one function */
};

#define MEMBER_UNGROUPED SIZE_MAX

/* A function of an image, with everything that distinguishes functions of the same name. */
struct group_member {
	const char *name; /* without the suffixes that compilers add */
	const char *full; /* as in the image */
	size_t function;  /* index of its first range */
	enum member_kind kind;
	bool is_local;
	const char *source; /* as in struct image_entry */
	size_t unit;
	const char *file; /* file of its definition, by DWARF; NULL: unknown, or not looked up yet */
	int line;
	bool is_located;
	size_t group;
};

struct members {
	struct group_member *items; /* by name, then by kind, then by function */
	size_t count;
	char **kept; /* names that are not in an image */
	size_t kept_count;
	struct image_entry *entries;
	size_t entry_count;
};

struct pairing_group {
	enum build build;
	struct group_member *main; /* the function itself, or the first of the clones */
	size_t first;     /* index of the first function that is not inlined; if all are inlined, of the first */
	size_t functions; /* number of functions that are not inlined */
	struct pairing_group *partner; /* NULL: none yet */
	size_t pair;                   /* index of its pair, once it has one */
	enum pairing_how how;
};

struct groups {
	const struct image *image;
	struct members members;
	struct pairing_group *items; /* by name */
	size_t count;
	size_t *group_of; /* by index of the image's functions; PAIRING_NONE: not the first range of its function */
};

static inline bool group_is_inlined(const struct pairing_group *group)
{
	return group->functions == 0;
}

/*
 * Groups functions. A clone or an inlined function belongs to the only function of its name, otherwise to the function
 * of that name in its source file, otherwise to the global function, otherwise to the other clones in that file. An
 * inlined function never belongs to a function in another file. False when out of memory; freed by groups_free(), also
 * after a failure.
 */
bool groups_find(const struct image *image, enum build build, struct groups *groups);
void groups_free(struct groups *groups);

/* Looks up file and line once; inlined functions have them from the start. */
void member_locate(const struct image *image, struct group_member *member);

/* The file of its definition if it was looked up, otherwise its source; NULL: both are unknown. */
const char *member_file(const struct group_member *member);

#endif
