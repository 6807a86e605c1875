/* SPDX-License-Identifier: MIT */
/*
 * Checks recorded callers against the code: a return address follows a call site if a call instruction precedes it that
 * can have led to the callee. A task that starts with an exit handler in its link register has no call site, nor does
 * an interrupt handler that records the link register of the interrupted code. Functions are decoded on demand, each
 * once. Knows nothing of profiles.
 */
#ifndef FIRMWARE_CALLS_CALL_SITES_H
#define FIRMWARE_CALLS_CALL_SITES_H

#include "firmware/image.h"

struct call_sites;

/* The result for one recorded call. */
struct call_site {
	bool is_false; /* no call that returns there can have led to the callee; not set if the code proves nothing */
	bool is_entry; /* for a false call: a function begins at the return address, or it is 0 */
	bool has_target;
	uint64_t target; /* entry of the function that the call site calls, after veneers; it may have jumped on */
};

/*
 * NULL if memory is short. Without a decoder, or if sections of code overlap, no call is false. Freed by
 * call_sites_free(); image must outlive it, divided as it is. O(n log n) in symbols.
 */
struct call_sites *call_sites_create(const struct image *image);
/* NULL is allowed. */
void call_sites_free(struct call_sites *sites);

/*
 * Checks the call of the function that has code at callee. Both addresses are as recorded, with their Thumb bits.
 * False if memory is short. All checks together decode no instruction more than a few times; each takes O(log n) and
 * follows a bounded number of jumps.
 */
bool call_sites_check(struct call_sites *sites, uint64_t return_address, uint64_t callee, struct call_site *site);

#endif
