/* SPDX-License-Identifier: MIT */
/* A measured profile made by hand, for tests of its views: the fixture's profile with stacks that a test describes. */
#ifndef UNIT_PROFILE_MEASURED_H
#define UNIT_PROFILE_MEASURED_H

#include "firmware.h"

/* Makes the profile measured, without stacks and without recorded calls. It must have an arc between all functions that
 * will be adjacent on a stack. */
void measured_begin(struct profile *profile);

/* Adds a stack: functions as "f0 f1@8012", the outermost first, each with the address of its call, or of the sampled
 * code. Without an address it is the place of firmware_calls(), or of the first instruction. The stack is a stratum of
 * its own, whose variance is a fiftieth of its time. */
void measured_stack(struct profile *profile, const char *functions, double time);

/* Sets the total times of nodes and arcs to those of the stacks. */
void measured_end(struct profile *profile);

#endif
