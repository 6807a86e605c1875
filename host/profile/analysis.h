/* SPDX-License-Identifier: MIT */
/*
 * The method of gprof, one pass per file, each taking the profile and adding to it (Graham, Kessler, McKusick: "gprof:
 * a call graph execution profiler", 1982, section 4).
 */
#ifndef PROFILE_ANALYSIS_H
#define PROFILE_ANALYSIS_H

#include "capture/gmon/gmon.h"
#include "profile/profile.h"

/* All zero: no option is set. */
struct analysis_options {
	bool force;              /* accept captures of another build of the firmware */
	bool static_calls;       /* also add the calls found in the instructions */
	struct filters *filters; /* NULL: none */
	size_t cycle_max;        /* break cycles with more members; 0: break none */
	bool total_errors;       /* estimate the errors of total times */
	const size_t *owners;    /* as in struct profile; must outlive the profile */
	bool through_interrupts; /* charge interrupted code with its handlers, where slices show it */
	bool ignores_handler;    /* do not subtract the time of sampling interrupts */
	bool in_samples;         /* report times in samples, even if the clocks are known */
};

/* Runs all passes in order and makes a finished profile of the captures. On success the caller owns *profile; image,
 * captures and filters must outlive it. */
enum status analysis_run(const struct image *image, const struct capture *const *captures, size_t capture_count,
                         const struct analysis_options *options, struct profile **profile, struct error *error);

/* Like analysis_run(), for a gmon.out, as GNU gprof would (docs/GPROF.md): image is divided by symbols, times are in
 * samples. */
enum status analysis_run_gmon(const struct image *image, const struct gmon *gmon,
                              const struct analysis_options *options, struct profile **profile, struct error *error);

/* Checks that the capture belongs to the image, by build-id, else by the hash of the code. Refuses a mismatch unless
 * force. Sets *worst to the result if that is worse. */
enum status analysis_check_capture(const struct image *image, const struct capture *capture, bool force,
                                   enum profile_identity *worst, struct error *error);
/* Checks the identity of all captures of the profile. */
enum status analysis_check_identity(struct profile *profile, bool force, struct error *error);

/* Runs the passes over an empty profile, from self times to measured total times. */
enum status analysis_fill(struct profile *profile, const struct analysis_options *options, struct error *error);

/*
 * Self times from histograms: each bin goes to the symbols that it overlaps, by their share of the bin, in steps of two
 * bytes as in GNU gprof. GNU's rule fails for bins of one byte, so those are counted in bytes. Samples outside all
 * symbols count only in the total time.
 */
void analysis_assign_histograms(struct profile *profile, const struct gmon *gmon);

/* Arcs between nodes from the records of gmon.out, whose addresses are used unchanged. */
enum status analysis_tally_arcs(struct profile *profile, const struct gmon *gmon, struct error *error);

/* Self times: the samples of each cell go to the functions in it that can have run (samples/groups.h). */
enum status analysis_assign_samples(struct profile *profile, struct error *error);

/* Marks functions without calls whose samples are all in cells shared with other functions; the errors of their times
 * include 0. Needs self times and arcs. */
void analysis_mark_only_shared(struct profile *profile);

/*
 * Arcs between nodes from the recorded addresses; calls and self calls of each node. A recorded caller that the code
 * rules out becomes PROFILE_TASK_ENTRY or PROFILE_UNKNOWN_CALLER. The arc of a tail call names the function that
 * jumped.
 */
enum status analysis_build_arcs(struct profile *profile, struct error *error);

/* Adds the calls of the instructions as arcs without a count, unless they were recorded, and marks recorded arcs that
 * went through pointers. Needs the arcs. */
enum status analysis_add_static_arcs(struct profile *profile, struct error *error);

/*
 * Removes arcs from the propagation until no cycle has more than cycle_max members (1 or more), with few calls in
 * total and never recursion. Needs the arcs; find the cycles again afterwards.
 */
enum status analysis_break_cycles(struct profile *profile, size_t cycle_max, struct error *error);

/* Strongly connected components and topological numbers (Tarjan 1972, without recursion). Needs the arcs. */
enum status analysis_find_cycles(struct profile *profile, struct error *error);

/* T_r = S_r + sum over callees e of T_e * C_e^r / C_e, cycles taken as one node. Needs the topological numbers. */
enum status analysis_propagate(struct profile *profile, struct error *error);

/* The time that a function and its callees could have caused: its total time, but with all the time of each cycle that
 * it calls, because the share of one caller is a guess. Needs the propagation. */
enum status analysis_possible_total(const struct profile *profile, size_t node, double *time, struct error *error);

/*
 * If the captures have several contexts, propagates again within each and adds up the results: the time of a function
 * in one context goes to its callers in that context. Uses the cycles of the whole profile. Lists the contexts in the
 * profile, and estimates the errors of total times if requested. Needs the propagation. Does nothing with a single
 * context.
 */
enum status analysis_propagate_by_context(struct profile *profile, bool total_errors, struct error *error);

/*
 * The variance of total times, by a bootstrap with enough draws for a relative error of 5 % in the standard error.
 * Gives the same result on every run. Takes at most the time of 200 propagations. Needs the propagation. Shares and
 * their errors are relative to the time of whole: the profile itself or, for the profile of one context, the profile of
 * all contexts.
 */
enum status analysis_estimate_errors(struct profile *profile, const struct profile *whole, struct error *error);

/*
 * If a capture has stacks, replaces the total times of the propagation by measured ones, keeps the estimate next to
 * them, and adds calls seen only on stacks, without a count. Times: each stack of a function gets its part of the
 * function's samples, so the times of all stacks add up to the time of the profile. A function or call that is on a
 * stack several times counts once. Functions without stacks borrow them from others (borrow_stacks.c).
 */
enum status analysis_measure(struct profile *profile, struct error *error);

/* Adds up the losses of the captures. */
void analysis_sum_losses(struct profile *profile);

#endif
