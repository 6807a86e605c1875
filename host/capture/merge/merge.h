/* SPDX-License-Identifier: MIT */
/*
 * Captures of one firmware added up, one after the other: memory is that of the sum, which grows with the places that
 * were seen, not with the number of captures.
 */
#ifndef CAPTURE_MERGE_MERGE_H
#define CAPTURE_MERGE_MERGE_H

#include "base/status.h"
#include "capture/capture.h"

struct merge;

/* Nothing yet. force: captures of several builds are taken, too, in blocks of their own. NULL when memory runs out. */
struct merge *merge_create(bool force);
void merge_free(struct merge *merge);

/*
 * Adds a capture. Each of its blocks goes into the block of the sum that it can be
 * added to: of the same core, build, clock, period, state, ranges, store and names of contexts, or into a new one.
 * Refused: another byte order or address size, and another build unless force. After a failure only merge_free() is of
 * use.
 */
enum status merge_add(struct merge *merge, const struct capture *capture, struct error *error);

/* The byte order and address size of the captures; NULL before the first. */
const struct capture_order *merge_order(const struct merge *merge);

/* Returns the sum; called once, after the last capture. The sum lives as long as merge. name is for messages. */
enum status merge_finish(struct merge *merge, const char *name, const struct capture **sum, struct error *error);

#endif
