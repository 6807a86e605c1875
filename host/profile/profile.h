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
#include "firmware/unwind/unwind.h"
#include "profile/filters.h"

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
	/* Stand for the callers that stacks do not show: of a cut stack, of code without frame information, of a stack
	 * that contradicts itself or was refused, and of one that was not to be read. */
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
	double fraction; /* the part of its time that is propagated: that of calls from callers whose time is wanted */
	double self_time, child_time;
};

/* One row of the flat profile. Times are in the profile's time unit. */
struct profile_node {
	enum profile_node_kind kind;
	const char *name; /* as in the ELF, or "<...>" for the other kinds; escape before printing */
	const char *file; /* from the image's function; NULL: unknown */
	int line;
	bool is_label;         /* a symbol that the ELF does not call a function */
	bool is_address_taken; /* somewhere in code or data: it may be called through a pointer */
	uint64_t address, end;
	double self_samples;
	double self_time;
	double self_variance;   /* variance of self_time: counting statistics, and the uncertainty about shared bins */
	bool is_only_shared;    /* it has samples, but only in shared cells, and no calls: it may not have run */
	double child_time;      /* inherited from callees outside its own cycle */
	double total_variance;  /* variance of self_time + child_time, if has_total_variance */
	double share_variance;  /* as a share of all time but the recorder's */
	uint64_t calls;         /* by other functions */
	uint64_t removed_calls; /* the part of calls that is on removed arcs */
	uint64_t self_calls;    /* direct recursion */
	/* In a measured profile, the estimate of gprof's propagation, and whether the total time differs from it by
	 * more than three joint standard errors. */
	double estimated_child_time, estimated_variance;
	/* In a measured profile, the time of stacks that end early and may hide it; whether this is so much that the
	 * total time is a lower bound, whose variance means little. */
	double hidden_time;
	bool differs_from_estimate, is_lower_bound;
	bool was_in_cycle;       /* so the estimate is without the time of calls within the cycle */
	uint32_t place_in_cycle; /* index among the members of its cycle */
	size_t cycle;            /* index into cycles, or PROFILE_NONE */
	double entry_cost;       /* in a solved cycle: the time of a call that enters the cycle here */
	size_t order;            /* topological number: arcs go from higher to lower, members of a cycle share one */
	struct filter_marks marks;
	struct profile_wanted wanted;
};

/* Calls from one function to another, or to itself. Times are the caller's share of the callee's times. */
struct profile_arc {
	uint32_t caller, callee; /* indices of nodes */
	uint32_t sequence;       /* the arc's place in the order of recording; arcs of the instructions come last */
	bool is_static;          /* found in the instructions; may also have been recorded */
	bool is_inlined;         /* the callee was inlined into the caller; count has no meaning */
	bool is_indirect;        /* the callee's address is taken, and no instruction of the caller calls it directly */
	bool is_removed;         /* from the propagation, to break a cycle: counted, but carries no time */
	const char *via; /* the function that was called and jumped on to the callee, as in the ELF; NULL: none */
	uint64_t count;  /* 0: known from the instructions only, or from stacks */
	double self_time, child_time;
};

/* What an arc of a measured profile has besides. Large profiles without stacks have many arcs, so it is kept apart. */
struct profile_measured_arc {
	bool is_on_stacks; /* at least one that is not borrowed */
	bool differs_from_estimate, is_lower_bound;
	/* The variance of the sum of the arc's times, and gprof's estimate of the sum. */
	double variance, estimated_time, estimated_variance;
	double hidden_time; /* as that of a node */
};

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
	bool is_borrowed; /* no stack ends in its function: the callers are those of other stacks */
	double samples;   /* those of a function that stacks end in add up to its samples */
	double time;
	size_t stratum;      /* index */
	double observations; /* the number of stacks that it stands for; 0 for a borrowed one */
};

/* The samples of a function in one context, or of several functions, which are divided among stacks. */
struct profile_stratum {
	double time, variance; /* from the counts of all ticks; 0 for the recorder's */
	double observations;   /* the number of independent stacks that would have the same variance */
};

/* The longest slice that firmware and `sample` can have, in bytes. */
#define PROFILE_SLICE_MAX 32768u

/* Where the total times of a measured profile come from. */
struct profile_measurement {
	bool is_tree;         /* the target counted paths, otherwise the host unwound slices */
	uint64_t stack_count; /* slices, or samples in the tree */
	uint64_t ends[BAREPROF_ENDS];
	uint64_t bad, tree_full, in_flight; /* losses: stacks that the target refused, and so on */

	/* The bytes of stack that the longest cut slice needs. 0: none was cut, or all need more than a slice can have.
	 */
	uint64_t needed;
	bool is_needed_enough;        /* for all slices; otherwise some may need more */
	bool may_need_more;           /* some slice may need more than PROFILE_SLICE_MAX bytes */
	struct profile_stack *stacks; /* the distinct paths, by stratum. Owned here */
	size_t count;
	struct profile_stratum *strata; /* owned here */
	size_t stratum_count;
	struct profile_frame *frames;      /* storage of the stacks */
	struct profile_measured_arc *arcs; /* by arc of the profile. Owned here */
};

/* A strongly connected component of more than one node. */
struct profile_cycle {
	const size_t *members; /* indices of nodes; the first is the one that the walk reached first */
	size_t member_count;
	double self_time, child_time;
	double total_variance;   /* variance of their sum, if has_total_variance */
	uint64_t calls;          /* from outside the cycle, over arcs that were not removed */
	uint64_t internal_calls; /* by members to other members */
	size_t first_caller;     /* the first function that calls it from outside, if calls is not 0 */
	bool has_several_callers;
	/* The summed costs of its entering calls. 0: each carries the same part of the cycle's time, which is GNU
	 * gprof's rule. */
	double entry_time;
	bool is_too_large; /* to be solved, or the cost of a call would be for a number */
	struct profile_wanted wanted;
};

/*
 * The share of a source line in a function: the code generated from the line, and the function's calls if it begins
 * there. Code of an inlined function counts at its own line and, separately, at the line that called it.
 */
struct profile_line {
	const char *file; /* as in DWARF; NULL: unknown line */
	int line;
	const char *function; /* as in the ELF or DWARF; escape before printing */
	bool is_inlined;      /* function was inlined into that of the node */
	size_t node;          /* the node that has the samples */
	double self_samples, self_time, self_variance;
	double function_variance; /* its part of the variance of its function, or of the inlined one: less than its own,
	                             because a function's lines may share a bin */
	double inlined_time;      /* time of functions that were inlined at calls on this line */
	bool has_run;             /* wherever in a cell a sample was taken, if all calls there return */
	uint64_t calls;           /* calls of the function that begins on this line */
};

/* The time while a line was on the stack: its own code or code that it called ran. Recursion counts once. */
struct profile_line_total {
	const char *file; /* as in DWARF */
	int line;
	size_t node;           /* one that has code of the line */
	double time, variance; /* in the profile's time unit */
	bool is_lower_bound;   /* as that of a node */
};

/* Sampled code of one line, function and chain of inlined functions (image_inlines()). */
struct profile_code {
	uint64_t low, high;
	const char *file; /* as in DWARF */
	int line;
	size_t node; /* the node that has the samples */
	double samples;
};

/* The code of a bin or granule within one basic block: its instructions share its samples. */
struct profile_sampled_range {
	uint64_t low, high;
	size_t node;
	double time, variance; /* in the profile's time unit */
};

/* A place where calls of an arc were made. */
struct profile_call_site {
	uint32_t arc;     /* index */
	uint64_t address; /* inside the call instruction */
	uint64_t count;   /* 0: known from stacks only */
	double time;      /* in a measured profile: while the call was on the stack */
};

/* Losses that the captures recorded: counts over all captures, saturating. */
struct profile_losses {
	uint64_t ticks;        /* samples taken */
	uint64_t ticks_missed; /* merged by the hardware while interrupts were masked */
	bool ticks_missed_known;
	uint64_t samples_outside;
	uint64_t samples_table_full;
	uint64_t samples_shared; /* in bins or granules that several functions overlap: shared by bytes, not by what ran
	                          */
	uint64_t arcs_dropped;
	uint64_t arcs_in_flight;
	uint64_t saturated; /* increments lost to counters at their maximum */
	uint64_t skew;      /* ticks that passed while the blocks were read */
	bool skew_known;
	uint64_t sections_skipped;
	uint64_t resets; /* warm resets during the profile */
	size_t blocks_with_losses,
	        blocks_without_losses; /* blocks that count losses; blocks from gmon.out, which do not */
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

struct profile_part;

/* The time and calls of one context. */
struct profile_context {
	uint32_t number;  /* CAPTURE_NO_CONTEXT: samples and calls without a context */
	const char *name; /* "" if it has none; escape before printing */
	bool is_rest;     /* as that of a part */
	double samples, time, recorder_time;
	uint64_t calls;
	size_t max_called; /* as that of a part */
	uint64_t max_calls;
	uint64_t switches; /* as that of a part */
};

/* The time in a part of memory, such as flash or RAM. A function belongs to the region in which it begins. */
struct profile_region {
	const char *name;     /* from the image or the user; NULL: time in no region. Escape before printing */
	uint64_t start, end;  /* [start, end) */
	double time;          /* includes code without a symbol */
	double recorder_time; /* the recorder's part of it */
	double variance;      /* variance of time; 0 until it is estimated */
	size_t function_count;
	uint64_t function_bytes; /* the bytes of its functions */
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
	const size_t
	        *owners; /* by function of the image: the function whose node it counts in; NULL: each in its own */
	const struct capture *const *captures;
	/* The samples of each cell with the code that they may be of, and what each node has of them (samples/groups.h,
	 * samples/shares.h). Owned here. */
	struct sample_group *groups;
	size_t group_count;
	struct group_part *group_parts;
	size_t group_part_count;
	struct share *shares;
	size_t share_count;
	size_t capture_count;
	const struct capture_block **blocks; /* those of all captures, in order; the pointers are owned here */
	size_t block_count;
	enum profile_identity identity;
	struct capture_range recorder; /* the recorder's own code in the image; empty if not bounded */
	struct code_map *code;         /* the image's; NULL until samples are assigned. A part uses that of the whole */
	struct unwinder *unwinder;     /* the image's; NULL: no capture has slices. A part uses that of the whole */

	struct profile_node *nodes; /* the image's functions in address order, then the others */
	size_t node_count;
	struct profile_arc *arcs; /* sorted by caller, then as arc_order says; no pair twice */
	size_t arc_count;
	/* The arcs of caller n are arcs[first_arc[n]] up to arcs[first_arc[n + 1]]. */
	size_t *first_arc;
	/* Indices of arcs by callee: those of callee n are from first_parent[n] up to first_parent[n + 1]. */
	uint32_t *parent_arcs;
	size_t *first_parent;
	bool shares_cycles_by_calls;  /* GNU gprof's rule for the calls that enter a cycle: all have the same cost */
	size_t cycle_max;             /* the limit above which cycles were broken; 0: none was */
	size_t removed_count;         /* arcs removed to break cycles */
	struct profile_cycle *cycles; /* in the order of the first of their members */
	size_t cycle_count;
	size_t *cycle_members; /* storage of the cycles' members */

	/* By file and line, those of no file last; none until analysis_find_lines(). Owned here. */
	struct profile_line *lines;
	size_t line_count;
	/* Measured, by file and line; none until analysis_find_line_totals(). Owned here. */
	struct profile_line_total *line_totals;
	size_t line_total_count;
	/* By node, then by address; the same applies. Samples of a node beyond these have no line. */
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
	/* The largest bins or granules, in bytes, in which the samples of hot lines would not be shared with other
	 * sampled lines; 0: there are none smaller than those of the captures. */
	uint64_t separating_size;

	enum profile_time_unit time_unit;
	double total_time; /* time of all samples: the 100 % */
	double total_samples;
	double handler_time; /* the known time of sampling interrupts, included in the recorder's row */
	bool owns_code, owns_unwinder;
	bool through_interrupts; /* stacks go on into the code that handlers interrupted */
	bool ignores_handler;    /* the time of sampling interrupts stays with the functions that they interrupted */
	bool has_total_variance; /* the errors of total times were estimated */
	double wanted_time;      /* the self times that filters leave, added up: the 100 % of the call graph */
	struct filter_marks all_marks; /* marks of all nodes, added up */
	struct profile_losses losses;

	/* If there are several contexts: most time first, samples without a context last. Owned here. */
	struct profile_context *contexts;
	size_t context_count;

	/* If the profile was split: by core or by context, most time first and the part without a context last; by
	 * both, the same core by core; split twice, one after the other. Owned here. */
	struct profile_part *parts;
	size_t part_count;

	/* In the order of their addresses, then the time in no region; none until analysis_find_regions(). Owned here.
	 */
	struct profile_region *regions;
	size_t region_count;

	/*
	 * NULL: no capture has stacks, and total times are gprof's estimate. Otherwise child times of nodes, and times
	 * of arcs, are measured: the part of the time in which the function, or the call, was on the stack. Recursion
	 * counts once. There are no cycles then. Owned here.
	 */
	struct profile_measurement *measurement;
	/* Path trees that are not used: the target unwound by a table that is not the image's. */
	size_t refused_trees;

	/* Names of the nodes for code outside functions; owned here. */
	char **made_names;
	size_t made_name_count;
};

/* The part of a profile that belongs to one core, to one context, or to one context on one core. */
struct profile_part {
	bool of_core, of_context;
	unsigned core;
	uint32_t number;   /* the context's number; CAPTURE_NO_CONTEXT: samples and calls without one */
	const char *name;  /* name of the context, "" if it has none; escape before printing */
	bool is_rest;      /* all contexts without a part of their own; it has no number, and only CAPTURE_NO_CONTEXT is
	                      after it */
	uint64_t switches; /* to the context; CAPTURE_UNKNOWN: some capture did not count them, or the part is not one
	                      context */
	size_t max_called; /* the node with the most recorded calls, if max_calls is not 0 */
	uint64_t max_calls;
	/* Its own times, calls and cycles; its first nodes are those of the whole, and it has no losses and no parts.
	 */
	struct profile *profile;
	struct capture **captures; /* captures of the part, owned here */
	size_t capture_count;
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

/* The sampled range that contains the address, or NULL. O(log n). */
const struct profile_sampled_range *profile_find_sampled_range(const struct profile *profile, uint64_t address);

/* The nearest whole number of samples, at most UINT64_MAX. samples: 0 or more. */
uint64_t profile_count_of(double samples);

/* All calls to the function, including recursion. */
uint64_t profile_node_calls(const struct profile_node *node);
/* The total time of a line, or NULL. */
const struct profile_line_total *profile_find_line_total(const struct profile *profile, const char *file, int line);
/* Whether a number of calls is known. In a measured profile 0 is unknown: calls that were seen on stacks need not have
 * been counted. */
bool profile_knows_calls(const struct profile *profile, uint64_t calls);
/* What was measured of an arc of the profile; all zero without a measurement. */
const struct profile_measured_arc *profile_measured_arc(const struct profile *profile, const struct profile_arc *arc);
/* Whether the total time of some function or call is a lower bound. */
bool profile_has_lower_bounds(const struct profile *profile);
/* True for a measured profile with recorded calls, from which gprof's estimate of total times was made. */
bool profile_has_estimate(const struct profile *profile);
/* This estimate of the total time of a node. */
double profile_node_estimate(const struct profile_node *node);
/* File and line where the node's function begins; false if they are unknown, or if it is not a function. *file is owned
 * by the image. */
bool profile_node_line(const struct image *image, const struct profile_node *node, const char **file, int *line);
/* self_time + child_time. */
double profile_node_total(const struct profile_node *node);

/* The part of the firmware's time, 0 to 1, that is in cycles with several callers, none of which is known to have
 * caused it. If largest is not NULL, it receives the cycle with the most of it, or PROFILE_NONE. */
double profile_part_in_cycles(const struct profile *profile, size_t *largest);

/* The index of the region of a node: of its function, its code or the recorder; region_count - 1 if it is in none.
 * Needs the regions. */
size_t profile_region_of(const struct profile *profile, const struct profile_node *node);

/* The recorder's own time, in the profile's time unit; the rest of total_time is the firmware's own. */
double profile_recorder_time(const struct profile *profile);

/* True if the captures come from several cores. */
bool profile_has_cores(const struct profile *profile);

/* True if the recorder's time is known, even if it is 0. */
bool profile_knows_recorder(const struct profile *profile);

/* False if all captures are gmon.out files: these say nothing about the recorder. */
bool profile_losses_are_known(const struct profile_losses *losses);

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
