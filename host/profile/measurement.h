/* SPDX-License-Identifier: MIT */
/* The measurement of a profile by stacks, from which its total times come. analysis_measure() makes it. */
#ifndef PROFILE_MEASUREMENT_H
#define PROFILE_MEASUREMENT_H

#include "firmware/unwind/unwind.h"
#include "profile/profile.h"

/* A function on a stack: code of a node. */
struct profile_frame {
	size_t node;
	uint64_t address; /* address of the sampled code, or inside the call; 0: unknown, or not code of the firmware */
};

/* A path that was seen on stacks, and its part of the profile's samples. Unless the path ends at the root, the
 * outermost frame is a node that says why: an exception, a task entry, or callers that the stack does not show. */
struct profile_stack {
	const struct profile_frame *frames; /* the innermost first, at least one; owned by the profile */
	size_t depth;
	uint32_t context; /* CAPTURE_NO_CONTEXT: none */
	unsigned core;
	enum unwind_end end;
	bool is_borrowed; /* no stack ends in its function, so it has the callers of other stacks */
	double samples;   /* the stacks that end in a function add up to the function's samples */
	double time;
	size_t stratum;      /* index */
	double observations; /* the number of real stacks that it represents; 0 for a borrowed one */
};

/* The samples of a function in one context, or of several functions, which are divided among stacks. */
struct profile_stratum {
	double time, variance; /* from the counts of all ticks; 0 for the recorder's */
	double observations;   /* the number of independent stacks that would have the same variance */
};

/* Members of an arc that only measured profiles have. Large profiles without stacks have many arcs, so they are kept
 * apart. */
struct profile_measured_arc {
	bool is_on_stacks; /* at least one that is not borrowed */
	bool differs_from_estimate, is_lower_bound;
	/* The variance of the sum of the arc's times, and gprof's estimate of the sum. */
	double variance, estimated_time, estimated_variance;
	double hidden_time; /* as for a node */
};

/* The longest slice that firmware and `sample` can have, in bytes. */
#define PROFILE_SLICE_MAX 32768u

/* Where the total times of a measured profile come from. */
struct profile_measurement {
	bool is_tree;                 /* the target counted paths, otherwise the host unwound slices */
	uint64_t stack_count;         /* slices, or samples in the tree */
	uint64_t ends[BAREPROF_ENDS]; /* stacks by how they end: enum unwind_end */
	/* Losses: ticks whose stack pointer was in no stack, samples that found the tree full, and stacks that were
	 * being copied while the block was read. */
	uint64_t bad, tree_full, in_flight;

	/* The bytes of stack that the longest cut slice needs. 0: none was cut, or all need more than a slice can have.
	 */
	uint64_t needed;
	bool is_needed_enough;        /* needed is enough for all slices; otherwise some may need more */
	bool may_need_more;           /* some slice may need more than PROFILE_SLICE_MAX bytes */
	struct profile_stack *stacks; /* the distinct paths, by stratum. Owned here */
	size_t count;
	struct profile_stratum *strata; /* owned here */
	size_t stratum_count;
	struct profile_frame *frames;      /* storage of the stacks */
	struct profile_measured_arc *arcs; /* by arc of the profile. Owned here */
};

void profile_free_measurement(struct profile_measurement *measurement);

/* The measured members of an arc of the profile; all zero without a measurement. */
const struct profile_measured_arc *profile_measured_arc(const struct profile *profile, const struct profile_arc *arc);

/* Whether the total time of some function or call is a lower bound. */
bool profile_has_lower_bounds(const struct profile *profile);

/* True for a measured profile with recorded calls, from which gprof's estimate of total times was made. */
bool profile_has_estimate(const struct profile *profile);

/* gprof's estimate of the total time of a node. */
double profile_node_estimate(const struct profile_node *node);

#endif
