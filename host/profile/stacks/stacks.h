/* SPDX-License-Identifier: MIT */
/*
 * Trees of call stacks: measured ones, or estimated from call graphs. In an estimate, the samples of a function are
 * divided among its callers in proportion to their shares of its time, at every level (gprof's assumption). Samples
 * stay whole: each division gives the largest remainders one sample more, and every arc passes its rounding error to
 * its next division, so that errors do not add up. Several profiles share one tree of frames, so that they can be
 * compared.
 */
#ifndef PROFILE_STACKS_STACKS_H
#define PROFILE_STACKS_STACKS_H

#include "base/array.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An arc that carries time: no recursion, and no call within a cycle. */
struct stacks_arc {
	size_t caller, callee;
	double time; /* the caller's share of the callee's total time; above 0 */
};

/* One call graph. The arrays belong to the caller. */
struct stacks_graph {
	size_t node_count;
	const double *self_times;      /* by node */
	const uint64_t *samples;       /* by node: samples to divide; a node with time but no samples has one stack */
	const size_t *cycles;          /* by node: the number of its cycle, from 1 on; 0: none */
	const struct stacks_arc *arcs; /* in any order */
	size_t arc_count;
};

/* The graphs that one tree has room for. */
#define STACKS_GRAPHS_MAX 2

/* The root: it has no node and no parent. Also means "no such frame". */
#define STACKS_ROOT 0

struct stacks_frame {
	size_t node;                         /* node_count of the tree: the frames above were cut off */
	size_t parent;                       /* STACKS_ROOT: outermost frame of its stack */
	size_t depth;                        /* 1 for outermost frames */
	size_t first_child, next_sibling;    /* STACKS_ROOT: none */
	bool is_end;                         /* a stack ends here; it may have no samples */
	uint64_t samples[STACKS_GRAPHS_MAX]; /* samples for which this frame was innermost, by graph */
};

struct stacks {
	size_t node_count;
	struct stacks_frame *frames;
	size_t count;
	size_t *index; /* a hash table of frame numbers, by parent and node */
	size_t index_size;
};

#define STACKS_DEPTH_MAX 200

/* The name of a frame whose node is node_count. */
#define STACKS_CUT_NAME "<more callers>"

/* Rounds times * scale to whole samples, so that the sum of the first n is right for every n. */
void stacks_round(const double *times, double scale, size_t count, uint64_t *samples);

/* The samples of nodes, divided among the paths that end in each. Paths come in any order. Arrays are by node. */
struct stacks_division {
	double *wholes;    /* times of all paths of the node, or their exact samples */
	uint64_t *samples; /* whole samples of all paths of the node: stacks_round() of wholes */
	double *seen;      /* the part of wholes that belongs to the paths so far */
	uint64_t *given;   /* the samples that belong to the paths so far */
};

/* Allocates the arrays, in scratch; all are 0. False when out of memory. */
bool stacks_begin_division(struct stacks_division *division, size_t count, struct scratch *scratch);

/* Returns the samples of the next path of a node, which has this part of the node's whole. The sum over the paths so
 * far differs from the exact sum by less than 1. */
uint64_t stacks_divide(struct stacks_division *division, size_t node, double part);

/* Begins an empty tree. Returns false when out of memory. The caller frees *stacks with stacks_free(), also after a
 * failure. */
bool stacks_begin(struct stacks *stacks, size_t node_count);

/* Adds a stack, the outermost node first, of at most STACKS_DEPTH_MAX + 1 frames. It is cut off if the tree has too
 * many frames. False when out of memory. */
bool stacks_add(struct stacks *stacks, size_t graph, const size_t *nodes, size_t depth, uint64_t samples);

/*
 * Expands call graphs to a tree of stacks. A cycle is one node: samples of a member go to the callers of the whole
 * cycle, and the member that they called is a frame, too. Samples that no caller accounts for begin a stack, and so do
 * the samples of a caller that is on the stack already. A stack is cut off at STACKS_DEPTH_MAX frames, and where the
 * graphs have more stacks than fit in memory or in a second of work. All graphs have as many nodes as the first.
 * Returns false when out of memory. The caller frees *stacks with stacks_free(), also after a failure.
 */
bool stacks_expand(const struct stacks_graph *graphs, size_t graph_count, struct stacks *stacks);
void stacks_free(struct stacks *stacks);

#endif
