/* SPDX-License-Identifier: MIT */
/*
 * Checks recorded callers against the code: a return address is a call site if a call instruction precedes it, and that
 * can have led to the callee. A task that starts with an exit handler in its link register has no call site, nor has an
 * interrupt handler that records what the interrupted code had there. Functions are decoded as they are asked for, each
 * once. Knows nothing of profiles.
 */
#ifndef CALLS_CALL_SITES_H
#define CALLS_CALL_SITES_H

#include "image/image.h"

struct call_sites;

/* What the code says of one recorded call. */
struct call_site {
	bool is_false; /* no call that returns there can have led to the callee; never where the code does not tell */
	bool is_entry; /* of false ones: a function begins at the return address, or it is 0 */
	bool has_target;
	uint64_t target; /* entry of the function that is called there, after veneers; it may have jumped on */
};

/*
 * NULL if memory is short. Where there is no decoder, or sections of code overlap, no call is false. To be freed by
 * call_sites_free(); image must outlive it, divided as it is. O(n log n) in symbols.
 */
struct call_sites *call_sites_create(const struct image *image);
/* NULL is allowed. */
void call_sites_free(struct call_sites *sites);

/*
 * Checks the call of the function that has code at callee. Both addresses as they were recorded, Thumb bit and all.
 * False if memory is short. All checks together decode no instruction more than a few times; each takes O(log n) and
 * follows a bounded number of jumps.
 */
bool call_sites_check(struct call_sites *sites, uint64_t return_address, uint64_t callee, struct call_site *site);

#endif
