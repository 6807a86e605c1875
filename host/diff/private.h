/* SPDX-License-Identifier: MIT */
/* Data that the stages of a comparison share. Private to diff/. */
#ifndef DIFF_PRIVATE_H
#define DIFF_PRIVATE_H

#include "diff/compare.h"

/* Sums over captures for one row or arc. Times are in the profile's unit of time, variances in its square. */
struct tally_figures {
	double self, total, calls;
	double handler; /* the time of all sampling interrupts, which is part of self */
	double self_variance, total_variance;
	double share_variance; /* variance of total as a share of the time of all samples outside the recorder */
	bool is_sampled;       /* for a row: some of its code is within sampled ranges */
	bool is_called; /* for a row: its own code has calls or samples; copies in other functions do not count */
};

/* Figures of captures. Only the firmware's time is counted; the recorder's time is only in its own row, so that no
 * other row changes with the cost of recording. */
struct build_tally {
	struct tally_figures *rows, *arcs;
	double work, time, samples;
	double time_variance; /* counting statistics */
	double grain;         /* time of one sample; with several sampling rates, the longest */
	bool has_calls;       /* some calls were counted */
	bool is_measured;     /* total times are measured from stacks */
};

#define KIND_COUNT (PROFILE_TABLE_FULL + 1)

/* A comparison while it is made. */
struct compare_state {
	const struct compare_input *inputs;
	const struct compare_options *options;
	struct comparison *comparison;
	/* By pair, then by kind of nodes other than functions. PAIRING_NONE: neither build has such a node. The
	 * recorder's own code is a single row. */
	size_t *row_of;
	struct build_tally all[BUILD_COUNT];
	struct build_tally *per_capture[BUILD_COUNT]; /* one for each capture; equal to `all` if there is only one */
	double *parts; /* values by capture, while a spread is computed; room for twice the captures of the larger build
	                */
};

/* The stages, in order. */
enum status compare_check_inputs(struct compare_state *state, struct error *error);
/* Makes the profiles of both builds, in the same unit of time. Needs the pairing. */
enum status compare_analyse(struct compare_state *state, struct error *error);
/* Lists the rows, without changes, and finds the row of each pair and kind. */
enum status compare_list_rows(struct compare_state *state, struct error *error);
/* Lists the arcs between rows, without changes. */
enum status compare_list_arcs(struct compare_state *state, struct error *error);
/* Sums rows and arcs over all captures. */
enum status compare_tally(struct compare_state *state, struct error *error);
/* Analyses and sums each capture of builds with several captures, one at a time, so that only one profile is in
 * memory. */
enum status compare_analyse_captures(struct compare_state *state, struct error *error);
/* Chooses the unit of work, and measures how much work was done. */
enum status compare_choose_unit(struct compare_state *state, struct error *error);
/* Computes the changes of all rows and arcs, and their significance. */
enum status compare_test(struct compare_state *state, struct error *error);
/* Orders rows by effect. */
enum status compare_order(struct compare_state *state, struct error *error);

/* Adds a profile to a tally that is all zero; false when out of memory. */
bool compare_add_profile(const struct compare_state *state, enum build build, const struct profile *profile,
                         struct build_tally *tally);

/* The row of a node in a profile of the build. */
size_t compare_row_of_node(const struct compare_state *state, enum build build, const struct profile *profile,
                           size_t node);

/* The index of the arc between two rows, which exists for every arc of the captures' profiles. */
size_t compare_arc_between(const struct comparison *comparison, size_t caller, size_t callee);

/* Sorts the arcs by caller, then callee. */
void compare_sort_arcs(struct comparison *comparison);

/* Builds first_arc, parent_arcs and first_parent from sorted arcs, replacing earlier ones; false when out of memory. */
bool compare_index_arcs(struct comparison *comparison);

enum status compare_out_of_memory(const struct compare_state *state, struct error *error);

#endif
