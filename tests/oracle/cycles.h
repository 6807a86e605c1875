/* SPDX-License-Identifier: MIT */
/* Adds callers to cycles that have none, because GNU gprof loses such cycles (docs/GPROF.md). */
#ifndef ORACLE_CYCLES_H
#define ORACLE_CYCLES_H

#include "division.h"
#include "options.h"
#include "random.h"
#include "recording.h"

/*
 * Gives each cycle of the arcs that the options keep a caller from outside. If that is impossible, drops calls within
 * the cycle.
 */
void cycles_give_callers(struct recording *recording, const struct division *division, const struct options *options,
                         struct random *random);

#endif
