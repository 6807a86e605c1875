/* SPDX-License-Identifier: MIT */
/* The functions of a profile that ran or were called, most time first, for formats that list them. Private to
 * report/. */
#ifndef REPORT_RANKING_H
#define REPORT_RANKING_H

#include "profile/profile.h"

struct ranking {
	const struct profile_node **nodes; /* nodes of the profile; the array is owned here */
	size_t count;
};

enum ranking_order { RANKING_BY_SELF, RANKING_BY_TOTAL };

/* Ranks all nodes with samples, time or calls. Freed by ranking_free(), also after a failure. */
enum status ranking_create(const struct profile *profile, enum ranking_order order, struct ranking *ranking,
                           struct error *error);
void ranking_free(struct ranking *ranking);

#endif
