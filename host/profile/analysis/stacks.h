/* SPDX-License-Identifier: MIT */
/*
 * Call stacks estimated from call graphs. No stack was recorded, so the time of a function is divided among its callers
 * in proportion to their calls, at every level (gprof's assumption). Several call graphs share one tree of frames, so
 * that they can be compared.
 */
#ifndef PROFILE_ANALYSIS_STACKS_H
#define PROFILE_ANALYSIS_STACKS_H

#include <stdbool.h>
#include <stddef.h>

/* An arc that carries time: no recursion, and no call within a cycle. */
struct stacks_arc {
	size_t caller, callee;
	double time; /* the caller's share of the callee's total time; above 0 */
};

/* One call graph. The arrays belong to the caller. */
struct stacks_graph {
	size_t node_count;
	const double *self_times;      /* by node */
	const size_t *cycles;          /* by node: the number of its cycle, from 1 on; 0: none */
	const struct stacks_arc *arcs; /* ordered by caller */
	size_t arc_count;
};

/* The graphs that one tree has room for. */
#define STACKS_GRAPHS_MAX 2

/* The root: no node, and nobody's child. Also means "no such frame". */
#define STACKS_ROOT 0

struct stacks_frame {
	size_t node;
	size_t parent;                    /* STACKS_ROOT: outermost frame of its stack */
	size_t depth;                     /* 1 for outermost frames */
	size_t first_child, next_sibling; /* STACKS_ROOT: none */
	double times[STACKS_GRAPHS_MAX];  /* time spent with this frame innermost, by graph */
};

struct stacks {
	struct stacks_frame *frames; /* frame node + 1 is that node's frame of depth 1 */
	size_t count;
	double times[STACKS_GRAPHS_MAX]; /* of all stacks, by graph */
};

#define STACKS_DEPTH_MAX 200

/*
 * A stack ends before a node that is on it already, at STACKS_DEPTH_MAX frames, or where a branch has less than a ten
 * thousandth of the graph's time; the remaining time stays with the last frame. All graphs have as many nodes as the
 * first. Returns false when out of memory. The caller frees *stacks with stacks_free(), also after a failure.
 */
bool stacks_expand(const struct stacks_graph *graphs, size_t graph_count, struct stacks *stacks);
void stacks_free(struct stacks *stacks);

#endif
