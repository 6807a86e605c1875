/* SPDX-License-Identifier: MIT */
/* The functions of one image, grouped with their clones for pairing. Private to pairing/. */
#ifndef DIFF_PAIRING_GROUPS_H
#define DIFF_PAIRING_GROUPS_H

#include "diff/pairing/pairing.h"

enum member_kind {
	MEMBER_GLOBAL,
	MEMBER_LOCAL,
	MEMBER_CLONE,   /* of a function that may be any of its name */
	MEMBER_INLINED, /* outlined from one function */
};

#define MEMBER_UNGROUPED SIZE_MAX

/* A function of an image, with everything that distinguishes functions of the same name. */
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

struct group {
	enum build build;
	struct member *main;   /* the function itself; of clones only, the first */
	size_t first;          /* index of the first function that is not inlined; if all are, of the first */
	size_t functions;      /* that are not inlined */
	struct group *partner; /* NULL: none yet */
	size_t pair;           /* its index, when there is one */
	enum pairing_how how;
};

struct groups {
	const struct image *image;
	struct members members;
	struct group *items; /* by name */
	size_t count;
	size_t *group_of; /* by index of the image's functions; PAIRING_NONE: not the first range of its function */
};

static inline bool group_is_inlined(const struct group *group)
{
	return group->functions == 0;
}

/*
 * Groups functions. A clone or an inlined function belongs to the only function of its name, else to the one of its
 * source file, else to the global one, else to the other clones from that file; an inlined function never to one of
 * another file. False when out of memory; freed by groups_free(), also after a failure.
 */
bool groups_find(const struct image *image, enum build build, struct groups *groups);
void groups_free(struct groups *groups);

/* Looks up file and line, once; inlined functions have them from the beginning. */
void member_locate(const struct image *image, struct member *member);

/* Where it is defined, if that has been looked up, else its source; NULL: both are unknown. */
const char *member_file(const struct member *member);

#endif
