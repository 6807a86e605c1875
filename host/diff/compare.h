/* SPDX-License-Identifier: MIT */
/* Two builds of a firmware compared: the cost of each function and arc per unit of work in both builds, and the
 * significance of the difference. */
#ifndef DIFF_COMPARE_H
#define DIFF_COMPARE_H

#include "base/stats/stats.h"
#include "capture/capture.h"
#include "diff/pairing/pairing.h"
#include "profile/profile.h"

enum compare_unit {
	COMPARE_PER_CALL,   /* of a function */
	COMPARE_PER_SECOND, /* of sampled time outside the recorder */
	COMPARE_PER_SAMPLE, /* outside the recorder */
};

/* A function is chosen as the unit of work only if it and its callees take at least this part of the time in each
 * build, without that of the recorder and of a core asleep: calls of a function that takes hardly any time do not
 * measure how much was done. */
#define COMPARE_UNIT_SHARE_MIN 0.5

struct compare_options {
	bool has_unit; /* unit was asked for; else it is chosen */
	enum compare_unit unit;
	const char *function; /* of COMPARE_PER_CALL: as the ELF names it, or demangled */
	double confidence;    /* of intervals, such as 0.95; 1 - confidence is the false-discovery rate */
	double min_change;    /* a change of less is called none: 0.01 is one percent */
	bool total_errors;    /* errors of total times are estimated */
	bool force;           /* captures of another build of a firmware are accepted */
};

/* One build and its captures. */
struct compare_input {
	struct image *image; /* the comparison may split its inlined functions */
	const struct capture *const *captures;
	size_t capture_count; /* 1 or more */
};

/* The verdict on a change. */
enum compare_verdict {
	COMPARE_UNKNOWN, /* cannot be computed, or is missing in one build */
	COMPARE_NOISE,   /* it may be by chance, or is too small */
	COMPARE_LESS,
	COMPARE_MORE,
};

/* One quantity in both builds. */
struct compare_change {
	struct stats_sum sums[BUILD_COUNT]; /* work 0: unknown, or none, in this build */
	struct stats_change values;         /* per unit of work, by compare_options.confidence */
	double q;                           /* values.p among all of the comparison (stats_adjust()); NAN: no test */
	enum compare_verdict verdict;
};

/* All that is compared of a function or an arc; also what rules and columns are called by. */
enum compare_quantity {
	COMPARE_SELF,  /* self time per unit of work */
	COMPARE_TOTAL, /* self time and that of callees, per unit of work; of an arc, what the caller answers for */
	COMPARE_CALLS, /* by others, per unit of work; calls of itself are an arc */
	COMPARE_PER_CALL_TIME, /* self time per call */
	COMPARE_SHARE, /* self time as a part of all time but the recorder's, 0 to 1; the recorder's is of all time */
	COMPARE_SIZE,  /* bytes of code */
	COMPARE_QUANTITIES,
};

/* "self", "total", "calls", "percall", "share", "size". */
const char *compare_quantity_name(enum compare_quantity quantity);

/* Where a function's code runs in one build. */
enum compare_inlining {
	COMPARE_CALLED,         /* in itself; code of it that was inlined into others in both builds is theirs */
	COMPARE_PARTLY_INLINED, /* in itself, and in others, where nobody counts calls: the row has both */
	COMPARE_INLINED,        /* in others only: it has no symbol, or neither calls nor samples in its own code */
};

/* A function together with its clones; or all nodes of one kind that are not functions (profile/profile.h). */
struct compare_row {
	const char *names[BUILD_COUNT]; /* as in the ELF; NULL: not in this build. Escape before printing */
	enum profile_node_kind kind;
	size_t pair; /* of the pairing; PAIRING_NONE if it is not a function */
	struct compare_change changes[COMPARE_QUANTITIES];
	enum compare_inlining inlining[BUILD_COUNT];
	size_t cycles[BUILD_COUNT]; /* number of its cycle, from 1 on; 0: none. Times of callees within the cycle are
	                               not included */
};

/* Calls from one row to another, or to itself. Has no size, share or time per call. */
struct compare_arc {
	size_t caller, callee;                            /* rows */
	struct compare_change changes[COMPARE_CALLS + 1]; /* COMPARE_SELF: of the callee's self time, the part that the
	                                                     caller answers for */
	bool is_inlined[BUILD_COUNT];                     /* the caller holds the callee's code: nobody counted calls */
};

/* One build, as compared. */
struct compare_build {
	struct image *image;
	struct profile *profile; /* of all its captures; clones are folded. Owned by the comparison */
	size_t capture_count;
	double work;          /* units of it, in all captures */
	double time;          /* all sampled time, in the unit of time */
	double recorder_time; /* a part of it */
	double samples;
};

struct comparison {
	struct compare_build builds[BUILD_COUNT];
	struct pairing pairing;
	enum compare_unit unit;
	bool is_unit_chosen; /* nobody asked for it */
	size_t unit_row;     /* of COMPARE_PER_CALL: the function */
	size_t rejected_row; /* if the chosen unit is time: the root with the most time, if there is any */
	/* Total time of unit_row or rejected_row as a part of all but that of the recorder and of a core asleep; else
	 * NAN. */
	double unit_shares[BUILD_COUNT];
	enum profile_time_unit time_unit;
	double confidence, min_change;
	/* The time of sampling interrupts is unknown for some capture, so it is not subtracted in either build. */
	bool ignores_handler;
	bool has_total_errors;
	bool has_spread[BUILD_COUNT]; /* it has several captures, so that run-to-run variation can be estimated */
	size_t tests;                 /* p-values that were made */

	/* By effect: first those of which self time changed, then those whose total or calls did, then the others; of
	 * each, the largest difference of that time first. The recorder is the last that changed. */
	struct compare_row *rows;
	size_t row_count;
	size_t changed_count; /* rows, the first ones, on which some verdict is LESS or MORE of a time or of calls */
	struct compare_arc *arcs; /* by caller, then callee */
	size_t arc_count;
	size_t *first_arc;   /* those of caller n are arcs[first_arc[n]] up to arcs[first_arc[n + 1]] */
	size_t *parent_arcs; /* indices of arcs by callee: those of n are from first_parent[n] on */
	size_t *first_parent;
	struct compare_change time; /* all sampled time but the recorder's, per unit of work */
	struct compare_change size; /* of all code */
};

/*
 * Compares two builds. Fails where that makes no sense: other ISAs, a capture of the other ELF, no common function, no
 * samples, no work. On success the caller owns *comparison; images and captures must outlive it.
 */
enum status compare_builds(const struct compare_input inputs[BUILD_COUNT], const struct compare_options *options,
                           struct comparison **comparison, struct error *error);
void comparison_free(struct comparison *comparison);

/* The row whose name in either build is name, as in the ELF; the first by effect. PAIRING_NONE: none is. */
size_t comparison_find(const struct comparison *comparison, const char *name);

/* Time of the recorder per unit of work; NULL if neither build has samples of it. */
const struct compare_change *comparison_recorder(const struct comparison *comparison);

/* The verdict is that there is one. */
bool compare_is_change(const struct compare_change *change);

/* The change at another confidence. */
void compare_change_at(const struct compare_change *change, double confidence, struct stats_change *values);

/* False for recursion and for calls within a cycle, which carry no time. */
bool compare_arc_is_timed(const struct comparison *comparison, enum build build, const struct compare_arc *arc);
/* Total time in the build in which it is larger: orders the callers or callees of a function. */
double compare_arc_weight(const struct compare_arc *arc);

#endif
