/* SPDX-License-Identifier: MIT */
/* The lines that say what a pull took. Private to command/pull*.c. */
#ifndef COMMAND_PULL_SUMMARY_H
#define COMMAND_PULL_SUMMARY_H

#include "target/pull/watch.h"

/* All of a single pull. */
void pull_print_summary(const struct pull_options *options, const struct pull_summary *summary);
/* A line for a capture among several, and notes on what befell this one. */
void pull_print_capture(const struct pull_options *options, const char *path, const struct pull_summary *summary);
/* How many there were. */
void pull_print_count(const struct watch_summary *summary);

#endif
