/* SPDX-License-Identifier: MIT */
/* The options of report that filter functions and arcs; docs/GPROF.md lists the equivalent options of gprof. Private to
 * command/. */
#ifndef COMMAND_REPORT_FILTERS_H
#define COMMAND_REPORT_FILTERS_H

#include "command/options.h"
#include "firmware/image.h"
#include "profile/filters.h"

#include <stdbool.h>

struct report_filters {
	struct report_filter *given; /* in the order of the command line */
	size_t count;
	char *text;              /* the options as given */
	char *idle_arcs;         /* the options that name arcs absent from the profile; NULL: none */
	struct filters *filters; /* NULL: no option was given, or before report_filters_resolve() */
};

/* The table of these options. The target is a struct report_filters, freed by report_filters_free(); values must
 * outlive it. */
extern const struct command_option report_filter_options[];
void report_filters_free(struct report_filters *taken);

/* Fills taken->filters. Functions may be named as in the image or as printed, demangled. */
enum status report_filters_resolve(struct report_filters *taken, const struct image *image, struct error *error);

/* Fails if an option matches no function of the profile; finds the idle arcs. */
enum status report_filters_check(struct report_filters *taken, const char *firmware, struct error *error);

#endif
