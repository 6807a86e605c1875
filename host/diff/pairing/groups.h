/* SPDX-License-Identifier: MIT */
/* The functions of one image, grouped with their clones for pairing. Private to pairing/. */
#ifndef DIFF_PAIRING_GROUPS_H
#define DIFF_PAIRING_GROUPS_H

#include "diff/pairing/members.h"
#include "diff/pairing/pairing.h"

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

#endif
