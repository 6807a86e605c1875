/* SPDX-License-Identifier: MIT */
/* How time flows from callees to callers: the one rule for times and for their errors. */
#ifndef PROFILE_ANALYSIS_FLOW_H
#define PROFILE_ANALYSIS_FLOW_H

#include "profile/profile.h"

/* The share of the callee's time, or of its whole cycle's, that an arc passes to its caller; 0 if it carries none. */
double flow_share(const struct profile *profile, const struct profile_arc *arc);

/* Node indices by topological number, callees first, the members of a cycle together. The caller's to free; NULL when
 * memory runs out. */
size_t *flow_order(const struct profile *profile);

#endif
