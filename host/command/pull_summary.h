/* SPDX-License-Identifier: MIT */
/* The summary of a pull. Private to pull.c. */
#ifndef COMMAND_PULL_SUMMARY_H
#define COMMAND_PULL_SUMMARY_H

#include "acquire/pull/watch.h"

/* Prints the summary of a single pull. */
void pull_print_summary(const struct pull_options *options, const struct pull_summary *summary);
/* Prints a line for one of several captures, and notes about it. */
void pull_print_capture(const struct pull_options *options, const char *path, const struct pull_summary *summary);
void pull_print_captures(const struct watch_summary *summary);

#endif
