/* SPDX-License-Identifier: MIT */
/* Data that the stages of a comparison share. Private to diff/. */
#ifndef DIFF_PRIVATE_H
#define DIFF_PRIVATE_H

#include "diff/compare.h"

/* Sums over some captures for one row or arc. Times are in the unit of time, variances in its square. */
struct figures {
	double self, total, calls;
	double handler; /* the part of self that is the time of sampling interrupts, which all samples contribute to */
	double self_variance, total_variance;
	double share_variance; /* of total as a share of the time of all samples outside the recorder */
	bool is_sampled;       /* of a row: some of its code lies where samples were looked for */
	bool is_called;        /* of a row: its own code, not that in others, has calls or samples */
};

/* Figures of some captures. Times are those of the firmware: the recorder's time is in its own row only, so that no
 * other row changes with the cost of recording. */
struct tally {
	struct figures *rows, *arcs;
	double work, time, samples;
	double time_variance; /* counting statistics */
	double grain;         /* time of one sample; of several sampling rates, the largest */
	bool has_calls;       /* some were counted */
};

#define KIND_COUNT (PROFILE_TABLE_FULL + 1)

/* A comparison in the making. */
struct comparing {
	const struct compare_input *inputs;
	const struct compare_options *options;
	struct comparison *made;
	size_t *row_of_pair;            /* PAIRING_NONE: the recorder's own code, of which all is one row */
	size_t row_of_kind[KIND_COUNT]; /* for nodes that are not functions; PAIRING_NONE: neither build has any */
	struct tally all[BUILD_COUNT];
	struct tally *single[BUILD_COUNT]; /* of each capture, where there are several */
	size_t single_counts[BUILD_COUNT]; /* as many as captures; 0 where there is one */
	double *parts;                     /* of captures, while a spread is found: those of the larger build, twice */
};

/* The stages, in this order. */
enum status compare_check_inputs(const struct comparing *comparing, struct error *error);
/* The profiles of both builds, in one unit of time. Needs the pairing. */
enum status compare_analyse(struct comparing *comparing, struct error *error);
/* Rows without changes, and which row is whose. */
enum status compare_list_rows(struct comparing *comparing, struct error *error);
/* Arcs between them, without changes. */
enum status compare_list_arcs(struct comparing *comparing, struct error *error);
/* Adds up rows and arcs, over all captures and for each capture. */
enum status compare_tally(struct comparing *comparing, struct error *error);
/* The unit of work, and how much of it was done. */
enum status compare_choose_unit(struct comparing *comparing, struct error *error);
/* The changes of all rows and arcs, and how sure they are. */
enum status compare_test(struct comparing *comparing, struct error *error);
/* Rows by effect. */
enum status compare_order(struct comparing *comparing, struct error *error);

/* The options that every analysis of a build has; of a single capture, errors are not needed. */
struct analysis_options compare_analysis_of(const struct comparing *comparing, enum build build, bool is_single);

/* The row of a node of a profile of a build. */
size_t compare_row_of_node(const struct comparing *comparing, enum build build, const struct profile *profile,
                           size_t node);

/* The index of the arc between two rows; all arcs of the profiles of all captures are there. */
size_t compare_arc_between(const struct comparison *comparison, size_t caller, size_t callee);

/* Builds first_arc, parent_arcs and first_parent from sorted arcs, replacing earlier ones; false when out of memory. */
bool compare_index_arcs(struct comparison *comparison);

enum status compare_out_of_memory(const struct comparing *comparing, struct error *error);

#endif
