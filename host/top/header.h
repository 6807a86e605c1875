/* SPDX-License-Identifier: MIT */
/* The lines above the rows: state of the target, time and samples, losses. */
#ifndef TOP_HEADER_H
#define TOP_HEADER_H

#include "top/model.h"

#include <stdio.h>

/* Each prints a line without its newline, and returns true if it is a warning. now: the time by clock_now(). */
bool top_print_state(const struct top_model *model, uint64_t now, FILE *stream);
bool top_print_window(const struct top_picture *picture, enum top_window window, const struct profile *profile,
                      FILE *stream);
bool top_print_losses(const struct profile *profile, FILE *stream);

#endif
