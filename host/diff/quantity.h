/* SPDX-License-Identifier: MIT */
/* Sums of one quantity of a row or an arc over the captures of a build. Private to diff/. */
#ifndef DIFF_QUANTITY_H
#define DIFF_QUANTITY_H

#include "diff/private.h"

struct quantity {
	const struct compare_state *state;
	enum compare_quantity what; /* not COMPARE_SIZE, which does not depend on captures */
	bool is_arc;
	size_t index; /* of the row or the arc */
};

/* Its sum in one build, with the work that it is divided by; work 0 if it is unknown. */
struct stats_sum quantity_sum(const struct quantity *quantity, enum build build);

/* The sum of all sampled time outside the recorder. */
struct stats_sum quantity_sum_of_time(const struct compare_state *state, enum build build);

#endif
