/* SPDX-License-Identifier: MIT */
/* A comparison of two builds of a firmware: the cost of each function and arc per unit of work in both builds, and the
 * significance of the difference. */
#ifndef DIFF_COMPARE_H
#define DIFF_COMPARE_H

#include "base/stats/stats.h"
#include "capture/capture.h"
#include "diff/pairing/pairing.h"
#include "profile/profile.h"

enum compare_unit {
	COMPARE_PER_CALL,   /* of a function */
	COMPARE_PER_SECOND, /* a second of sampled time outside the recorder */
	COMPARE_PER_SAMPLE, /* outside the recorder */
	COMPARE_PER_RUN,    /* a capture, if all captures are of the same work */
};

/*
 * A function is chosen as the unit of work only if it and its callees take at least this part of the time in each
 * build, not counting the recorder and a sleeping core. Calls to a function that takes little time do not measure the
 * amount of work.
 */
#define COMPARE_UNIT_SHARE_MIN 0.5

struct compare_options {
	bool has_unit; /* the user chose unit; otherwise it is chosen automatically */
	enum compare_unit unit;
	const char *function; /* for COMPARE_PER_CALL: as in the ELF, or demangled */
	double confidence;    /* confidence of intervals, such as 0.95; 1 - confidence is the false-discovery rate */
	double min_change;    /* smaller changes are not reported: 0.01 is one percent */
	bool total_errors;    /* estimate the errors of total times */
	bool force;           /* accept captures of another build of the firmware */
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
	COMPARE_NOISE,   /* may be by chance, or smaller than min_change */
	COMPARE_LESS,
	COMPARE_MORE,
};

/* One quantity in both builds. */
struct compare_change {
	struct stats_sum sums[BUILD_COUNT]; /* work is 0 if it is unknown, or if this build did no work */
	struct stats_change values;         /* per unit of work, by compare_options.confidence */
	double q; /* values.p adjusted for all tests of the comparison (stats_adjust()); NAN: no test */
	enum compare_verdict verdict;
};

/* The quantities that are compared, for functions and arcs; rules and columns are named after them. */
enum compare_quantity {
	COMPARE_SELF,          /* self time per unit of work */
	COMPARE_TOTAL,         /* self time and callees' time, per unit of work; for an arc, the caller's share */
	COMPARE_CALLS,         /* by others, per unit of work; recursive calls are an arc */
	COMPARE_PER_CALL_TIME, /* self time per call */
	COMPARE_SHARE, /* self time as a part of all time outside the recorder, 0 to 1; for the recorder, as a part of
	                  all time */
	COMPARE_SIZE,  /* bytes of code */
	COMPARE_QUANTITIES,
};

/* "self", "total", "calls", "percall", "share", "size". */
const char *compare_quantity_name(enum compare_quantity quantity);

/* Where a function's code is in one build. */
enum compare_inlining {
	COMPARE_CALLED,         /* in its own symbol; copies that both builds inlined count for their callers */
	COMPARE_PARTLY_INLINED, /* in its own symbol and in others; the row includes both, but calls of inlined copies
	                           are not counted */
	COMPARE_INLINED, /* only in other symbols: it has no symbol, or its own code has neither calls nor samples */
};

/* A function together with its clones, or all nodes of a kind other than functions (profile/profile.h). */
struct compare_row {
	const char *names[BUILD_COUNT]; /* as in the ELF; NULL: not in this build. Escape before printing */
	enum profile_node_kind kind;
	size_t pair; /* in the pairing; PAIRING_NONE if it is not a function */
	struct compare_change changes[COMPARE_QUANTITIES];
	enum compare_inlining inlining[BUILD_COUNT];
	size_t cycles[BUILD_COUNT]; /* number of its cycle, from 1 on; 0: none. Times of callees within the cycle are
	                               not included */
};

/* Calls from one row to another, or to itself. Has no size, share or time per call. */
struct compare_arc {
	size_t caller, callee; /* rows */
	struct compare_change
	        changes[COMPARE_CALLS + 1]; /* COMPARE_SELF: the caller's share of the callee's self time */
	bool is_inlined[BUILD_COUNT];       /* the callee was inlined into the caller, so calls were not counted */
};

/* One build, as compared. */
struct compare_build {
	struct image *image;
	struct profile *profile; /* profile of all its captures; clones are folded. Owned by the comparison */
	size_t *row_of_node;     /* by node of the profile. Owned by the comparison */
	size_t capture_count;
	double work;          /* units of work, in all captures */
	double time;          /* all sampled time, in the unit of time */
	double recorder_time; /* the part of time spent in the recorder */
	double samples;
};

struct comparison {
	struct compare_build builds[BUILD_COUNT];
	struct pairing pairing;
	enum compare_unit unit;
	bool is_unit_chosen;   /* it was chosen automatically */
	bool lacks_calls;      /* in some build no calls were counted, so none can be the unit */
	size_t unit_row;       /* for COMPARE_PER_CALL: the function */
	bool is_unit_possible; /* unit_row was chosen by the most time it may account for: with all of a cycle */
	/* For COMPARE_PER_RUN, if it was chosen automatically: the number of functions that all captures call more than
	 * once, and how many of these all captures call equally often. */
	size_t called_count, equal_count;
	size_t rejected_row; /* if the unit is time and was chosen automatically: the root with the most time, if any */
	/* Total time of unit_row or rejected_row as a part of all time, without the recorder and a sleeping core; NAN
	 * if there is neither. */
	double unit_shares[BUILD_COUNT];
	enum profile_time_unit time_unit;
	double confidence, min_change;
	/* For some capture the time of sampling interrupts is unknown, so it is subtracted in neither build. */
	bool ignores_handler;
	bool has_total_errors;
	bool has_spread[BUILD_COUNT]; /* the build has several captures, so run-to-run variation can be estimated */
	size_t tests;                 /* number of tests */

	/* By effect: rows whose self time changed, then rows whose total time or calls changed, then the others; each
	 * class by falling difference of the time. The recorder is the last of the changed rows. */
	struct compare_row *rows;
	size_t row_count;
	size_t changed_count; /* the number of rows with a significant change of a time or of calls, which come first */
	struct compare_arc *arcs; /* by caller, then callee */
	size_t arc_count;
	size_t *first_arc;   /* arcs of caller n: arcs[first_arc[n]] up to arcs[first_arc[n + 1]] */
	size_t *parent_arcs; /* indices of arcs by callee; callee n's begin at first_parent[n] */
	size_t *first_parent;
	struct compare_change time; /* all sampled time outside the recorder, per unit of work */
	struct compare_change size; /* size of all code */
};

/* Compares two builds. Fails if they cannot be compared: different ISAs, a capture of the other ELF, no common
 * function, no samples, no work. On success the caller owns *comparison; images and captures must outlive it. */
enum status compare_builds(const struct compare_input inputs[BUILD_COUNT], const struct compare_options *options,
                           struct comparison **comparison, struct error *error);
void comparison_free(struct comparison *comparison);

/* The row with this name, as in the ELF, in either build, the first by effect; PAIRING_NONE: none. */
size_t comparison_find(const struct comparison *comparison, const char *name);

/* Time of the recorder per unit of work; NULL if neither build has samples of it. */
const struct compare_change *comparison_recorder(const struct comparison *comparison);

/* Whether the unit of work is time. All time per unit of work is then the same in both builds. */
bool compare_is_per_time(const struct comparison *comparison);

/* Whether the verdict is COMPARE_LESS or COMPARE_MORE. */
bool compare_is_change(const struct compare_change *change);

/* Fills *values with the change at another confidence. */
void compare_change_at(const struct compare_change *change, double confidence, struct stats_change *values);

/* False for recursion and for calls within a cycle, which carry no time. */
bool compare_arc_is_timed(const struct comparison *comparison, enum build build, const struct compare_arc *arc);
/* Total time in the build where it is larger; orders the callers or callees of a function. */
double compare_arc_weight(const struct compare_arc *arc);

#endif
