/* SPDX-License-Identifier: MIT */
/* The call stacks of two builds in one tree. Private to formats/. */
#ifndef DIFF_FORMATS_STACKS_H
#define DIFF_FORMATS_STACKS_H

#include "diff/compare.h"
#include "profile/stacks/stacks.h"

/*
 * The stacks are measured if both builds have stacks, and estimated from the arcs if neither has. If only one build has
 * stacks, no function has callers, because measured times are not compared with estimates.
 *
 * Nodes are rows of the comparison; samples are by build. The new build's samples are scaled to what the same work
 * would have had at the old build's rate. weights: by build, the number of samples that one sample, or one stack,
 * represents; counting errors grow with it. False when out of memory. The caller frees *stacks with stacks_free(), also
 * after a failure.
 */
bool stacks_of_builds(const struct comparison *comparison, struct stacks *stacks, double weights[BUILD_COUNT]);

/* True if both builds have stacks. */
bool stacks_are_measured(const struct comparison *comparison);

/* Describes how the stacks were obtained. */
const char *stacks_text(const struct comparison *comparison);

#endif
