/* SPDX-License-Identifier: MIT */
/* The stages of pairing, in order; each pairs groups that earlier stages left unpaired. Private to pairing/. */
#ifndef DIFF_PAIRING_STAGES_H
#define DIFF_PAIRING_STAGES_H

#include "diff/pairing/groups.h"

/* By name, with everything that distinguishes functions of the same name. False when out of memory. */
bool pair_by_name(struct groups groups[BUILD_COUNT]);
/* By file and line of definition; the longest equal paths win. */
bool pair_by_place(struct groups groups[BUILD_COUNT]);
bool pair_by_code(struct groups groups[BUILD_COUNT]);

#endif
