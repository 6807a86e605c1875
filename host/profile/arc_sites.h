/* SPDX-License-Identifier: MIT */
/* The places of calls. */
#ifndef PROFILE_ARC_SITES_H
#define PROFILE_ARC_SITES_H

#include "profile/profile.h"

/* A place where calls of an arc were made. */
struct profile_call_site {
	uint32_t arc;     /* index of an arc */
	uint64_t address; /* inside the call instruction */
	uint64_t count;   /* 0: known from stacks only */
	double time;      /* in a measured profile: the time while the call was on the stack */
};

/* Adds to a finished profile the places of its calls, recorded calls as well as calls on stacks. */
enum status analysis_find_call_sites(struct profile *profile, struct error *error);

#endif
