/* SPDX-License-Identifier: MIT */
/* Sees to it that every cycle is called from outside: GNU gprof loses the others (docs/GPROF.md). */
#ifndef ORACLE_CYCLES_H
#define ORACLE_CYCLES_H

#include "division.h"
#include "options.h"
#include "random.h"
#include "recording.h"

/* Of the arcs that the options leave. Gives such a cycle a caller if it can, else takes calls within it back. */
void cycles_give_callers(struct recording *recording, const struct division *division, const struct options *options,
                         struct random *random);

#endif
