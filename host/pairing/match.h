/* SPDX-License-Identifier: MIT */
/* What all stages do: pair what has the same key and is the only such in each build. Private to pairing/. */
#ifndef PAIRING_MATCH_H
#define PAIRING_MATCH_H

#include "pairing/groups.h"

/* A group that may be paired, and what it has to have in common with its partner. */
struct entrant {
	struct group *group;
	const char *name, *path; /* NULL: does not count */
	uint64_t number;
};

struct entrants {
	struct entrant *items;
	size_t count;
	bool is_short_of_memory;
};

void entrants_add(struct entrants *entrants, struct entrant entrant);

/* What a pair that was found is called. */
typedef enum pairing_how (*tell_how)(const struct group *old, const struct group *new);

/*
 * Pairs entrants with equal keys where there is one of each build; what is paired already stays so. Then there are none
 * any more. False if memory was short, also before.
 */
bool entrants_match(struct entrants *entrants, tell_how how);

#endif
