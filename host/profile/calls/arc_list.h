/* SPDX-License-Identifier: MIT */
/* A list of arcs, and their conversion into the arcs of the profile: added up, ordered and indexed. Linear time. */
#ifndef PROFILE_CALLS_ARC_LIST_H
#define PROFILE_CALLS_ARC_LIST_H

#include "firmware/calls/call_sites.h"
#include "profile/profile.h"

/* All zero: empty. */
struct arc_list {
	struct profile_arc *items; /* in the order in which they came; sequence is not set */
	size_t count, capacity;
};

/* Makes room for more arcs; false when out of memory. */
bool arc_list_reserve(struct arc_list *list, size_t more);

/* Adds an arc unless filters exclude it; false when out of memory. */
bool arc_list_add(struct arc_list *list, const struct profile *profile, struct profile_arc arc);

/* Adds the arcs that the profile has, in the order in which they came; false when out of memory. */
bool arc_list_add_present(struct arc_list *list, const struct profile *profile);

/* Replaces the arcs of the profile by the arcs of the list, in the profile's arc_order, and counts calls and self calls
 * of its nodes. Arcs between the same nodes become one. Afterwards the list is empty. */
enum status arc_list_finish(struct arc_list *list, struct profile *profile, struct error *error);

/* The function that the call site names and that jumped to the callee, or NULL. (arcs.c) */
const char *arc_via(struct profile *profile, const struct call_site *site, size_t callee);

/* The node of the function that owns address. PROFILE_NONE without such a function, and for the recorder.
 * (static_arcs.c) */
size_t arc_node_of_code(struct profile *profile, uint64_t address);
/* The node of the function that begins at address. */
size_t arc_node_of_entry(struct profile *profile, uint64_t address);

#endif
