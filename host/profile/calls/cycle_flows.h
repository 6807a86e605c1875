/* SPDX-License-Identifier: MIT */
/*
 * How the time of a cycle flows to the calls that enter it.
 *
 * The recurrence T_r = S_r + sum of T_e * C_e^r / C_e also holds within a cycle, where it is a system of linear
 * equations: a call of f costs c_f = (S_f + sum over callees g of C_g^f * c_g) / C_f. A call that enters the cycle at f
 * carries c_f, where GNU gprof gives every entering call the same part of the cycle's time.
 *
 * Functions are eliminated one after the other: the callers of a function inherit its time and its calls, in proportion
 * to their calls of it. This is Gaussian elimination without a subtraction, so rounding errors stay small even if the
 * cycle is rarely entered (Grassmann, Taksar, Heyman: "Regenerative analysis and steady state distributions for Markov
 * chains", 1985). The next function is always the one whose elimination adds the fewest calls (Markowitz, 1957).
 *
 * The result is linear in the times of the members: a list of flows, which can be applied to other times.
 */
#ifndef PROFILE_CALLS_CYCLE_FLOWS_H
#define PROFILE_CALLS_CYCLE_FLOWS_H

#include "profile/calls/flow.h"

/*
 * The places of a cycle of count members: place i is the time of member i and of its callees outside the cycle, place
 * count + i the cost of a call that enters the cycle at member i. The last place is for time that reaches no entry: of
 * functions without recorded calls, and of calls that began before recording. All entering calls share it.
 */
static inline size_t cycle_place_count(size_t count)
{
	return 2 * count + 1;
}

static inline size_t cycle_cost_place(size_t count, size_t member)
{
	return count + member;
}

/*
 * Adds the flows of a cycle to the list; its places are numbered from first on. Needs the calls into cycles. If solving
 * the cycle would take too long, as for several hundred functions that all call each other, or is already known to,
 * *is_solved is false, and the flows follow GNU gprof's rule. Bounded time and memory. False when out of memory.
 */
bool cycle_flows_find(const struct profile *profile, size_t cycle, size_t first, struct flow_list *list,
                      bool *is_solved);

#endif
