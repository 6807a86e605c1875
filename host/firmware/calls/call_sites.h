/* SPDX-License-Identifier: MIT */
/*
 * Checks recorded callers against the code: a return address belongs to a call site if the instruction before it is a
 * call that can reach the callee. A task that starts with an exit handler in its link register has no call site, nor
 * has an interrupt handler that records the link register of the interrupted code. Functions are decoded on demand,
 * each once.
 */
#ifndef FIRMWARE_CALLS_CALL_SITES_H
#define FIRMWARE_CALLS_CALL_SITES_H

#include "firmware/image.h"

struct call_sites;

/* The result for one recorded call. */
struct call_site {
	bool is_false; /* no call that returns there can reach the callee; false if the code proves nothing */
	bool is_entry; /* for a false call: a function begins at the return address, or it is 0 */
	bool has_target;
	uint64_t target; /* entry of the function called, after veneers; a tail call may have continued elsewhere */
};

/* NULL when out of memory. Without a decoder, or if code sections overlap, no call is false. Freed by
 * call_sites_free(); image must outlive it and keep its division. O(n log n) in symbols. */
struct call_sites *call_sites_create(const struct image *image);
/* NULL is allowed. */
void call_sites_free(struct call_sites *sites);

/*
 * Checks a call to the function that contains callee. Both addresses are as recorded, with Thumb bits. False when out
 * of memory. All checks together decode each instruction at most a few times; each takes O(log n) and follows a bounded
 * number of jumps.
 */
bool call_sites_check(struct call_sites *sites, uint64_t return_address, uint64_t callee, struct call_site *site);

#endif
