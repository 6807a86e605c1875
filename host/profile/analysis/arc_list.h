/* SPDX-License-Identifier: MIT */
/*
 * Arcs as they come in, and how they become those of the profile: added up, ordered, indexed. Linear in their number.
 */
#ifndef PROFILE_ANALYSIS_ARC_LIST_H
#define PROFILE_ANALYSIS_ARC_LIST_H

#include "profile/profile.h"

/* All zero: none. */
struct arc_list {
	struct profile_arc *items; /* in the order in which they came; sequence is not set */
	size_t count, capacity;
};

/* Makes room for more arcs; false when memory runs out. */
bool arc_list_reserve(struct arc_list *list, size_t more);

/* Adds an arc that filters want; false when memory runs out. */
bool arc_list_add(struct arc_list *list, const struct profile *profile, struct profile_arc arc);

/*
 * Makes them the arcs of the profile, in its arc_order, in the place of those it has; counts calls and self calls of
 * its nodes. Arcs between the same nodes become one. Takes the list, which is empty then.
 */
enum status arc_list_finish(struct arc_list *list, struct profile *profile, struct error *error);

#endif
