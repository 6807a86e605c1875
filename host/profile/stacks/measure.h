/* SPDX-License-Identifier: MIT */
/* Measured total times, see analysis_measure(). Each tick is counted, but only few ticks keep a stack. So the samples
 * of each function are divided among the stacks that end in it (post-stratification). Private to profile/. */
#ifndef PROFILE_STACKS_MEASURE_H
#define PROFILE_STACKS_MEASURE_H

#include "firmware/calls/calls.h"
#include "firmware/unwind/table.h"
#include "profile/analysis.h"
#include "profile/measurement.h"
#include "profile/paths.h"
#include "profile/profile.h"
#include "profile/samples/presence.h"

/* Stacks of the same core and context with the same frames except for the sampled address. */
struct measured_stack {
	size_t first, depth;                /* its frames, the innermost first */
	const struct profile_frame *frames; /* set while stacks are sorted: the first frame as a pointer */
	struct sample_source source;
	enum unwind_end end;
	double weight, squares; /* sums, over its stacks, of the time that each represents, and of its square */
	bool is_borrowed;
	size_t stratum;
	double time, samples;
};

/* The samples of a function in one context, or of several functions that no stack ends in. The stacks of a stratum are
 * a sample of its time. */
struct stratum {
	struct sample_source source;
	size_t leaf;                    /* the function; PROFILE_NONE: several */
	size_t first, count;            /* its stacks, while they are in the order of strata */
	double weight, squares;         /* sums over its stacks */
	double samples, time, variance; /* from the counts of all ticks */
	double observations;            /* the number of independent stacks that would have the same variance */
};

/* A place in the memory of a core: where a stack ends, or where a cut slice lacks a word. */
struct stack_mark {
	unsigned core;
	bool is_end;
	uint64_t address;
	uint64_t sp; /* SP of a cut slice */
};

/* A call or jump that some instruction makes, executed or not. */
struct possible_call {
	size_t callee, caller; /* nodes */
};

struct measure {
	struct profile *profile;
	struct profile_measurement *made;
	struct profile_frame *frames;
	size_t frame_count;
	struct measured_stack *stacks;
	size_t stack_count;
	struct stratum *strata; /* the strata of stacks first, by source and function */
	size_t stratum_count;
	struct unwind_table_crc table_crc; /* CRC of the image's unwind table */
	struct stack_mark *marks;
	size_t mark_count;
	/* By node: whether it may have called others, although no stack shows that; whether code may call it by a
	 * pointer. */
	bool *may_call, *has_pointer;
	struct possible_call *calls; /* by callee */
	size_t call_count;
};

/* The maximum number of frames. No capture of a real target has more; further callers are left out. */
#define MEASURE_FRAMES_MAX ((size_t)1 << 23)

/* --- collect_stacks.c */

/* Unwinds all slices, converts all path trees, and counts path ends and losses. The stacks are sorted by source, then
 * by function; none occurs twice. */
enum status measure_collect(struct measure *measure, struct error *error);

/* Appends a stack, and frames to the last stack. False when out of memory. */
bool measure_begin_stack(struct measure *measure, const struct measured_stack *stack);
bool measure_add_frame(struct measure *measure, size_t node, uint64_t address);

/* --- stack_lengths.c */

/* Marks where the stack of an unwound slice is known to end, or where the slice is cut. False when out of memory. */
bool measure_mark_stack(struct measure *measure, const struct capture_block *block, const struct capture_slice *slice,
                        const struct unwind_path *path);
/* Finds the length that slices need: up to the outermost frame on complete paths of the same stack, or to the end of
 * that stack. Reorders the marks. */
void measure_find_needed(struct measure *measure);

/* --- strata.c */

/* The samples of a function in one source. */
struct stack_claim {
	size_t node;
	struct sample_source source;
	double samples, time, variance;
};

/*
 * Divides the samples of each function among the stacks that end in it. Functions without such stacks borrow from
 * others (borrow_stacks.c). Afterwards the times of all stacks add up to the time of the profile, the stacks are sorted
 * by stratum, and each stratum has its samples.
 */
enum status measure_divide(struct measure *measure, struct error *error);

/* --- borrow_stacks.c */

/* Adds stacks for claims of functions that no stack of the source ends in. The stacks of the source, from first up to
 * end, are the lenders. */
bool measure_borrow(struct measure *measure, const struct stack_claim *claims, size_t count, size_t first, size_t end);

/* Adds a stack of one frame for a claim without callers. */
bool measure_add_root(struct measure *measure, const struct stack_claim *claim);

/* --- measured_times.c */

/* The number of real stacks that a distinct one represents; 0 for a borrowed one. */
double measure_observations(const struct measured_stack *stack);

/* Replaces the child times of nodes and the times of arcs, with their variances. Arcs must exist between all adjacent
 * frames. */
enum status measure_times(struct measure *measure, struct error *error);

/* --- possible_calls.c */

/* Finds the calls that the instructions show. Needs all nodes. */
enum status measure_find_calls(struct measure *measure, struct error *error);

/* True if the call can be on a stack: it is neither a jump nor a call of the recorder. */
bool measure_may_call(const struct image *image, const struct call *call);

/* --- lower_bounds.c */

/* Finds the nodes and arcs whose times are lower bounds. Needs the possible calls and the times of stacks. */
enum status measure_find_lower_bounds(struct measure *measure, struct error *error);

/* Whether the outermost callers of the stack are unknown. */
bool measure_ends_early(const struct measure *measure, const struct measured_stack *stack);

/* Whether a time with this variance is a lower bound if it may lack the hidden time. */
bool measure_is_lower_bound(const struct profile *profile, double hidden, double variance);

/* --- measured_paths.c */

/* analysis_each_path() of a measured profile. */
enum status measured_each_path(const struct profile *profile, analysis_path_found *found, void *context,
                               struct error *error);

#endif
