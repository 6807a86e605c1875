/* SPDX-License-Identifier: MIT */
/*
 * Captures of one firmware that differ in every way such captures can: store, cores, contexts, clocks, states,
 * losses. The same seed gives the same capture.
 */
#ifndef UNIT_CAPTURE_MERGE_RUNS_H
#define UNIT_CAPTURE_MERGE_RUNS_H

#include "../decode.h"
#include "capture/merge/merge.h"

#define RUNS_BASE 0x8000u
#define RUNS_END  0x8100u

uint32_t next_random(uint32_t *random);

/* The bytes of a capture file made of blocks; the caller frees them. */
uint8_t *capture_of_blocks(const struct build_block *blocks, size_t count, const struct capture_trailer *trailer,
                           size_t *size);

/* A random capture, closed by close_captures(). granule_size: of the sparse store; 0: the dense store, with bins of 4
 * bytes. */
struct capture *random_run(uint32_t seed, unsigned granule_size);

/* The merged capture, written and read again; close_captures() closes it, too. The order of captures may change. */
struct capture *merge_runs(struct capture *const *captures, size_t count, bool force);

#endif
