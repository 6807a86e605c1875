/* SPDX-License-Identifier: MIT */
/* The costs of the calls that enter a cycle. */
#ifndef PROFILE_CALLS_SOLVE_CYCLES_H
#define PROFILE_CALLS_SOLVE_CYCLES_H

#include "profile/profile.h"

/*
 * Sets the entry costs of all cycles (cycle_flows.h), unless the profile shares cycles by calls. ordered: all nodes,
 * callees first. of_wanted: use only the time of members and callees that filters leave, instead of all their time.
 * Needs the calls into cycles. False when out of memory.
 */
bool cycles_solve(struct profile *profile, const size_t *ordered, bool of_wanted);

#endif
