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

/* A random capture. granule_size: of the sparse store; 0: the dense store, with bins of 4
 * bytes. */
struct capture *random_run(uint32_t seed, unsigned granule_size);

/* The merged capture, written and read again. The order of captures may change. */
struct capture *merge_runs(struct capture *const *captures, size_t count, bool force);

#endif
