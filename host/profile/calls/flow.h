/* SPDX-License-Identifier: MIT */
/* How time flows from callees to callers: the one rule for times and for their errors. */
#ifndef PROFILE_CALLS_FLOW_H
#define PROFILE_CALLS_FLOW_H

#include "profile/profile.h"

/* The share of the callee's time, or of the time of its whole cycle, that an arc passes to its caller; 0 if it carries
 * none. In a solved cycle it depends on the function that the arc enters (cycle_flows.h). */
double flow_share(const struct profile *profile, const struct profile_arc *arc);
/* Like flow_share(), as if filters excluded no time. */
double flow_share_of_all(const struct profile *profile, const struct profile_arc *arc);

/* Node indices by topological number, callees first, the members of a cycle together. The caller frees the array; NULL
 * when out of memory. */
size_t *flow_order(const struct profile *profile);
/* Whether the node at this place of the order is the last member of its cycle. */
bool flow_is_last_member(const struct profile *profile, const size_t *ordered, size_t place);

/* A flow of time from one place to another. Lists of flows are in the order in which their sources are complete. */
struct flow {
	uint32_t from, into;
	double share;
};

struct flow_list {
	struct flow *flows; /* freed by the owner */
	size_t count;
};

/* False when out of memory. */
bool flow_add(struct flow_list *list, size_t from, size_t into, double share);

#endif
