/* SPDX-License-Identifier: MIT */
/*
 * The profile: the functions of one firmware with their times, the arcs between them and the cycles they form. The
 * passes of analysis.h fill it in; report/ prints it.
 */
#ifndef PROFILE_PROFILE_H
#define PROFILE_PROFILE_H

#include "base/status.h"
#include "capture/capture.h"
#include "firmware/calls/code_map.h"
#include "firmware/image.h"
#include "profile/filters.h"
#include "profile/losses.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* "No such index" for nodes and cycles. */
#define PROFILE_NONE SIZE_MAX

enum profile_node_kind {
	PROFILE_FUNCTION,       /* a function of the image */
	PROFILE_BAREPROF,       /* the recorder itself: in the total, never propagated, never exported to gmon */
	PROFILE_UNKNOWN,        /* code that no symbol names */
	PROFILE_EXCEPTION,      /* the hardware, as caller of a handler (an EXC_RETURN value as return address) */
	PROFILE_SECURE_CALL,    /* the secure world, as caller (an FNC_RETURN value as return address) */
	PROFILE_TASK_ENTRY,     /* no caller: a task begins; the return address is an exit handler or 0 */
	PROFILE_UNKNOWN_CALLER, /* no call that returns to the recorded return address led to the callee */
	/* Callers that stacks do not show: of a cut stack, of code without frame information, of a stack that
	 * contradicts itself or was refused, and of a stack that must not be read. */
	PROFILE_CUT,
	PROFILE_NO_ROW,
	PROFILE_BAD_STACK,
	PROFILE_WITHHELD,
	PROFILE_SECURE, /* samples taken while Arm's Secure state ran, whose code the Non-secure handler cannot see */
	PROFILE_UNAVAILABLE, /* samples through a probe while the core was asleep or not accessible */
	PROFILE_OUTSIDE,     /* samples whose PC lay in no sampled range */
	PROFILE_TABLE_FULL,  /* samples of one coarse bin: the function is unknown */
};

/* The part of a function or cycle that filters leave; all of it without filters. */
struct profile_wanted {
	bool is_shown;   /* has an entry in the call graph */
	double fraction; /* the part of its time that is propagated: the part spent for callers whose time is wanted */
	double self_time, child_time;
};

/* One row of the flat profile. Times are in the profile's time unit. */
struct profile_node {
	enum profile_node_kind kind;
	const char *name; /* as in the ELF, or "<...>" for the other kinds; escape before printing */
	const char *file; /* from the image's function; NULL: unknown */
	int line;
	bool is_label;         /* a symbol that the ELF does not call a function */
	bool is_address_taken; /* code or data takes its address, so it may be called through a pointer */
	uint64_t address, end;
	double self_samples;
	double self_time;
	double self_variance;   /* variance of self_time: counting statistics, and the uncertainty about shared bins */
	bool is_only_shared;    /* it has samples, but only in shared cells, and no calls: it may not have run */
	double child_time;      /* inherited from callees outside its own cycle */
	double total_variance;  /* variance of self_time + child_time, if has_total_variance */
	double share_variance;  /* variance of the total as a share of all time except the recorder's */
	uint64_t calls;         /* by other functions */
	uint64_t removed_calls; /* the part of calls on removed arcs */
	uint64_t self_calls;    /* direct recursion */
	/* In a measured profile: the estimate by gprof's propagation, and whether the total time differs from it by
	 * more than three joint standard errors. */
	double estimated_child_time, estimated_variance;
	/* In a measured profile: the time of stacks that end early and may hide this function, and whether that is so
	 * much that the total time is a lower bound, whose variance means little. */
	double hidden_time;
	bool differs_from_estimate, is_lower_bound;
	bool was_in_cycle;       /* in the estimate, which therefore lacks the time of calls within the cycle */
	uint32_t place_in_cycle; /* index among the members of its cycle */
	size_t cycle;            /* index into cycles, or PROFILE_NONE */
	double entry_cost;       /* in a solved cycle: the time of a call that enters the cycle here */
	size_t order;            /* topological number: arcs go from higher to lower, members of a cycle share one */
	struct filter_marks marks;
	struct profile_wanted wanted;
};

/* Calls from one function to another, or to itself. The times are the caller's share of the callee's times. */
struct profile_arc {
	uint32_t caller, callee; /* indices of nodes */
	uint32_t sequence;       /* the arc's place in the order of recording; arcs of the instructions come last */
	bool is_static;          /* found in the instructions; may also have been recorded */
	bool is_inlined;         /* the callee was inlined into the caller; count has no meaning */
	bool is_indirect;        /* the callee's address is taken, and no instruction of the caller calls it directly */
	bool is_removed;         /* removed from the propagation to break a cycle: counted, but carries no time */
	const char *via;         /* the function that was called and jumped to the callee, as in the ELF; NULL: none */
	uint64_t count;          /* 0: known only from the instructions or from stacks */
	double self_time, child_time;
};

/* A strongly connected component of more than one node. */
struct profile_cycle {
	const size_t *members; /* indices of nodes; the first is the one that the walk reached first */
	size_t member_count;
	double self_time, child_time;
	double total_variance;   /* variance of self_time + child_time, if has_total_variance */
	uint64_t calls;          /* from outside the cycle, over arcs that were not removed */
	uint64_t internal_calls; /* by members to other members */
	size_t first_caller;     /* the first function that calls the cycle from outside, if calls is not 0 */
	bool has_several_callers;
	/* The sum of the costs of its entering calls. 0: each call carries the same part of the cycle's time, as in GNU
	 * gprof. */
	double entry_time;
	bool is_too_large; /* solving it would take too long, or a cost would be infinite: GNU gprof's rule applies */
	struct profile_wanted wanted;
};

enum profile_time_unit {
	PROFILE_SECONDS,
	PROFILE_SAMPLES, /* the clock or period of some capture is unknown */
};

/* Whether the captures were recorded by the image's build; the worst result of all captures. */
enum profile_identity {
	PROFILE_IDENTITY_SAME,
	PROFILE_IDENTITY_UNKNOWN, /* no build-id and no hash of the code */
	PROFILE_IDENTITY_OTHER,   /* another build, accepted by the user */
};

/* The order of the arcs of one caller, and of one callee. It decides which member of a cycle is its first. */
enum profile_arc_order {
	PROFILE_BY_NODE,    /* by node: independent of the order of recording */
	PROFILE_LAST_FIRST, /* GNU gprof's order: the most recently recorded first */
};

struct profile {
	const struct image *image;
	struct filters *filters; /* NULL: everything is wanted */
	enum profile_arc_order arc_order;
	/* By function of the image: the function in whose node it counts; NULL: each counts in its own. */
	const size_t *owners;
	const struct capture *const *captures;
	size_t capture_count;
	/* For each cell, its samples with the code that they may belong to, and the share of each node in them
	 * (samples/groups.h). Owned here. */
	struct sample_group *groups;
	size_t group_count;
	struct group_part *group_parts;
	size_t group_part_count;
	struct share *shares;
	size_t share_count;
	const struct capture_block **blocks; /* the blocks of all captures, in order; the array is owned here */
	size_t block_count;
	enum profile_identity identity;
	bool has_recorder;         /* whether code of the image is known to be the recorder's */
	struct code_map *code;     /* of the image, shared with parts; NULL until samples are assigned */
	struct unwinder *unwinder; /* of the image, shared with parts; NULL: no capture has slices */

	struct profile_node *nodes; /* the image's functions in address order, then the others */
	size_t node_count;
	struct profile_arc *arcs; /* sorted by caller, then as arc_order says; no pair twice */
	size_t arc_count;
	/* The arcs of caller n are arcs[first_arc[n]] up to arcs[first_arc[n + 1]]. */
	size_t *first_arc;
	/* Indices of arcs by callee: callee n has parent_arcs[first_parent[n]] up to [first_parent[n + 1]]. */
	uint32_t *parent_arcs;
	size_t *first_parent;
	bool shares_cycles_by_calls;  /* GNU gprof's rule for the calls that enter a cycle: all have the same cost */
	size_t cycle_max;             /* the limit above which cycles were broken; 0: no limit */
	size_t removed_count;         /* arcs removed to break cycles */
	struct profile_cycle *cycles; /* in the order of their first members */
	size_t cycle_count;
	size_t *cycle_members; /* storage of the cycles' members */

	/* By file and line, lines without a file last; none until analysis_find_lines(). Owned here. */
	struct profile_line *lines;
	size_t line_count;
	/* Measured, by file and line; none until analysis_find_line_totals(). Owned here. */
	struct profile_line_total *line_totals;
	size_t line_total_count;
	/* By node, then by address; none until analysis_find_lines(). Owned here. Other samples have no line. */
	struct profile_code *sampled_code;
	size_t sampled_code_count;
	/* By address; none until analysis_find_sampled_ranges(). Owned here. */
	struct profile_sampled_range *sampled_ranges;
	size_t sampled_range_count;
	/* By arc, then by address; none until analysis_find_call_sites(). Calls without a call instruction have none.
	 * Owned here. */
	struct profile_call_site *call_sites;
	size_t call_site_count;
	/*
	 * Samples in bins or granules of several lines, or of several functions if inlined functions count separately.
	 */
	double line_samples_shared, inline_samples_shared;
	/* The largest bins or granules, in bytes, that would separate the samples of hot lines from other sampled
	 * lines; 0: none are smaller than those of the captures. */
	uint64_t separating_size;

	enum profile_time_unit time_unit;
	double total_time; /* time of all samples: the 100 % */
	double total_samples;
	double handler_time; /* the known time of sampling interrupts, included in the recorder's row */
	bool owns_code, owns_unwinder;
	bool through_interrupts; /* stacks go on into the code that handlers interrupted */
	bool ignores_handler;    /* the time of sampling interrupts stays with the functions that they interrupted */
	bool has_total_variance; /* the errors of total times were estimated */
	double wanted_time;      /* the sum of the self times that filters leave: the 100 % of the call graph */
	struct filter_marks all_marks; /* marks of all nodes, combined */
	struct profile_losses losses;

	/* Empty unless there are several contexts: most time first, samples without a context last. Owned here. */
	struct profile_context *contexts;
	size_t context_count;

	/* If the profile was split by core or by context: most time first, the part without a context last. If it was
	 * split by both: core by core, each in this order. A second split appends its parts. Owned here. */
	struct profile_part *parts;
	size_t part_count;

	/* In the order of their addresses, then the time in no region; none until analysis_find_regions(). Owned here.
	 */
	struct profile_region *regions;
	size_t region_count;

	/*
	 * NULL: no capture has stacks, and total times are gprof's estimate. Otherwise child times of nodes, and times
	 * of arcs, are measured: the time in which the function, or the call, was on the stack. Recursion counts once,
	 * and there are no cycles. Owned here.
	 */
	struct profile_measurement *measurement;
	/* Path trees ignored because they were built with another image's table. */
	size_t refused_trees;

	/* Names of the nodes for code outside functions; owned here. */
	char **made_names;
	size_t made_name_count;
};

/* An empty profile. image, captures (each decoded for this firmware) and filters (NULL: none) must outlive it. */
enum status profile_create(const struct image *image, const struct capture *const *captures, size_t capture_count,
                           struct filters *filters, struct profile **profile, struct error *error);
/* An empty profile of a part of the captures of a finished one, with the same nodes and unit of time. whole must
 * outlive it. */
enum status profile_create_part(const struct profile *whole, const struct capture *const *captures,
                                size_t capture_count, struct profile **part, struct error *error);
void profile_free(struct profile *profile);
/* Frees the profile and the captures of a part, but not its number and name. */
void profile_free_part(struct profile_part *part);
/*
 * The index of the node that owns code at address. Code that no symbol names gets a node of its own: one for each gap
 * between functions, one for each 4 KiB outside of all code sections. PROFILE_NONE when out of memory.
 */
size_t profile_node_at(struct profile *profile, uint64_t address);

/* The index of the node of an image's function: its own, its owner's or the recorder's. PROFILE_NONE when out of
 * memory. */
size_t profile_node_of_function(struct profile *profile, size_t function);

/* The index of the single node of a kind. PROFILE_NONE when out of memory. */
size_t profile_node_of_kind(struct profile *profile, enum profile_node_kind kind);

/* The index of the node for samples of a coarse bin, which are somewhere in [low, high). PROFILE_NONE when memory runs
 * out. */
size_t profile_node_of_full_table(struct profile *profile, uint64_t low, uint64_t high);

/*
 * The index of the node for samples in [low, high), where there is no function. PC values that stand for code that the
 * handler or the probe cannot see (BAREPROF_PC_SECURE, BAREPROF_PC_UNAVAILABLE) have nodes of their own. PROFILE_NONE
 * when out of memory.
 */
size_t profile_node_outside_functions(struct profile *profile, uint64_t low, uint64_t high);

/*
 * The kind of caller of a recorded return address: PROFILE_EXCEPTION or PROFILE_SECURE_CALL for values that are special
 * to Arm's M profile (Armv8-M ARM B3.21, EXC_RETURN, and B3.23, FNC_RETURN), else PROFILE_FUNCTION.
 */
enum profile_node_kind profile_caller_kind(const struct image *image, uint64_t return_address);

/* The place of the call: an address inside the call instruction, which belongs to the caller even if the call is the
 * caller's last instruction. 0 and values that are special to the hardware are returned unchanged. */
uint64_t profile_call_site(const struct image *image, uint64_t return_address);

/* True for kinds that stand for hidden callers, which no stack shows. */
bool profile_is_hidden(enum profile_node_kind kind);

/* The calls that share the time of a node, or of its whole cycle, among its callers. */
uint64_t profile_sharing_calls(const struct profile *profile, size_t node);

/* True if the arc carries time: not to its own function, not within a cycle, not removed. Its share may be 0. */
bool profile_arc_is_timed(const struct profile *profile, const struct profile_arc *arc);

/* The index of the arc from caller to callee, or PROFILE_NONE. O(log n) in the arcs of the caller unless they are in
 * GNU gprof's order. */
size_t profile_find_arc(const struct profile *profile, size_t caller, size_t callee);

/* The nearest whole number to samples (0 or more), at most UINT64_MAX. */
uint64_t profile_count_of(double samples);

/* All calls to the function, including recursion. */
uint64_t profile_node_calls(const struct profile_node *node);
/* Whether a number of calls is known. In a measured profile 0 is unknown: calls that were seen on stacks need not have
 * been counted. */
bool profile_knows_calls(const struct profile *profile, uint64_t calls);
/* The file and line where the node's function begins; false if they are unknown, or if the node is not a function.
 * *file is owned by the image. */
bool profile_node_line(const struct image *image, const struct profile_node *node, const char **file, int *line);
/* self_time + child_time. */
double profile_node_total(const struct profile_node *node);

/* The part of the firmware's time, 0 to 1, that is in cycles with several callers: no caller is known to have caused
 * it. If largest is not NULL, it receives the cycle with the most such time, or PROFILE_NONE. */
double profile_part_in_cycles(const struct profile *profile, size_t *largest);

/* The recorder's own time, in the profile's time unit; the rest of total_time is the firmware's own. */
double profile_recorder_time(const struct profile *profile);

/* True if the captures come from several cores. */
bool profile_has_cores(const struct profile *profile);

/* True if the recorder's time is known, even if it is 0. */
bool profile_knows_recorder(const struct profile *profile);

/* The profile's identity in words: "the build that was profiled". */
const char *profile_identity_text(const struct profile *profile);

/* The time that one sample of a block represents, in the profile's time unit: the sampled code's part and the sampling
 * interrupt's part, which is 0 if unknown. Together they are the block's period. */
double profile_sample_time(const struct profile *profile, const struct capture_block *block);
double profile_handler_time(const struct profile *profile, const struct capture_block *block);

/* The time of sampling interrupts in a node's self time: only the recorder's row has any. */
double profile_node_handler_time(const struct profile *profile, size_t node);

/* Whether the cost of the sampling interrupt is known: the worst of all blocks counts. */
enum capture_handler profile_handler(const struct profile *profile);

/* The distances between samples: the worst of all blocks counts. */
enum capture_distances profile_distances(const struct profile *profile);

#endif
