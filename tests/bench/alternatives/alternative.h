/* SPDX-License-Identifier: MIT */
/* A table of arcs that could take the place of the library's. */
#ifndef BENCH_ALTERNATIVE_H
#define BENCH_ALTERNATIVE_H

#include "counter.h"
#include "isa.h"
#include "recorder.h"

/* Counts one call, whatever the gate says. callee is not 0. */
void alternative_count(volatile struct header *header, uintptr_t caller, uintptr_t callee);

#endif
