/* SPDX-License-Identifier: MIT */
/* The options that correspond to the hints of the libraries. */
#ifndef COMMAND_HINTS_H
#define COMMAND_HINTS_H

#include "base/hint.h"

/* Indexed by hint: a clause that follows "; ". */
extern const char *const hints[HINT_COUNT];

#endif
