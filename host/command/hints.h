/* SPDX-License-Identifier: MIT */
/* The options that hints of the libraries stand for. */
#ifndef COMMAND_HINTS_H
#define COMMAND_HINTS_H

#include "base/hint.h"

/* By hint: a clause that follows "; ". */
extern const char *const hints[HINT_COUNT];

#endif
