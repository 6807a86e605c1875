/* SPDX-License-Identifier: MIT */
/* From groups with partners to what others see. Private to pairing/. */
#ifndef DIFF_PAIRING_FILL_H
#define DIFF_PAIRING_FILL_H

#include "diff/pairing/groups.h"

/* Takes names that the groups keep into *pairing. False if memory is short. */
bool pairing_fill(struct groups groups[BUILD_COUNT], struct pairing *pairing);

#endif
