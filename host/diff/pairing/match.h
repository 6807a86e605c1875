/* SPDX-License-Identifier: MIT */
/* Steps that all stages share: pair groups that have the same key if each build has exactly one. Private to
 * pairing/. */
#ifndef DIFF_PAIRING_MATCH_H
#define DIFF_PAIRING_MATCH_H

#include "diff/pairing/groups.h"

/* A group that may be paired, and what it has to have in common with its partner. */
struct candidate {
	struct group *group;
	const char *name, *path; /* NULL: does not count */
	uint64_t number;
};

struct candidates {
	struct candidate *items;
	size_t count;
	bool is_short_of_memory;
};

void candidates_add(struct candidates *candidates, struct candidate candidate);

/* Pairs candidates with equal keys if each build has one; groups that are paired already stay paired. Empties the
 * list. False when out of memory, also if that happened earlier. */
bool candidates_match(struct candidates *candidates, enum pairing_how how);

/* Enters the groups of both builds that have no partner yet. */
typedef void (*add_group)(struct candidates *candidates, struct groups *groups, struct group *group);
void enter_left(struct candidates *candidates, struct groups groups[BUILD_COUNT], add_group add);
bool match_left(struct groups groups[BUILD_COUNT], add_group add, enum pairing_how how);

/* As candidates_match(), where also files are the same, as far as they are known; the longest paths first. */
bool match_files(struct candidates *candidates, enum pairing_how how);

/* Whether both builds have groups without a partner. */
bool is_any_left(const struct groups groups[BUILD_COUNT]);

#endif
