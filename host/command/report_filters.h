/* SPDX-License-Identifier: MIT */
/* The options of report that filter functions and arcs; docs/GPROF.md lists the equivalent options of gprof. Private to
 * command/. */
#ifndef COMMAND_REPORT_FILTERS_H
#define COMMAND_REPORT_FILTERS_H

#include "command/command.h"
#include "firmware/image.h"
#include "profile/filters.h"

#include <stdbool.h>

struct report_filters {
	struct report_filter *given; /* in the order of the command line */
	size_t count;
	char *text;              /* the options as given */
	char *idle_arcs;         /* those that name arcs absent from the profile; NULL: none */
	struct filters *filters; /* NULL: no option was given, or before report_filters_resolve() */
};

/* Their long options for getopt_long(), and their help. */
enum { OPTION_FOCUS = 768, OPTION_HIDE, OPTION_FLAT_ONLY, OPTION_ONLY_ARC, OPTION_EXCLUDE_ARC };
#define FILTER_LONG_OPTIONS                                                                               \
	{"focus", required_argument, NULL, OPTION_FOCUS}, {"hide", required_argument, NULL, OPTION_HIDE}, \
	        {"flat-only", required_argument, NULL, OPTION_FLAT_ONLY},                                 \
	        {"only-arc", required_argument, NULL, OPTION_ONLY_ARC},                                   \
	{                                                                                                 \
		"exclude-arc", required_argument, NULL, OPTION_EXCLUDE_ARC                                \
	}
#define FILTER_HELP                                                                                \
	"      --focus=F        in the call graph, only F, what it calls, and their time\n"        \
	"      --hide=F         omit F and its time from flat profile and call graph\n"            \
	"      --flat-only=F    in the flat profile, only F, whose time is the 100 %\n"            \
	"      --only-arc=F/G   only calls of G by F; --only-arc=F/: all calls by F\n"             \
	"      --exclude-arc=F/G\n"                                                                \
	"                       as if F had never called G; --exclude-arc=/G: as if nothing had\n" \
	"                       F is FUNCTION, FILE.c, FILE.c:FUNCTION, FILE.c:LINE or :NAME.WITH.DOT\n"

/* Handles an answer of getopt_long() if it is one of these options; then sets *is_taken. value must outlive *taken,
 * which is freed by report_filters_free(). */
enum status report_filters_take(const struct command *command, int option, const char *value,
                                struct report_filters *taken, bool *is_taken, struct error *error);
void report_filters_free(struct report_filters *taken);

/* Fills taken->filters. Functions may be named as in the image or as printed, demangled. */
enum status report_filters_resolve(struct report_filters *taken, const struct image *image, struct error *error);

/* Fails if an option matches no function of the profile; finds the idle arcs. */
enum status report_filters_check(struct report_filters *taken, const char *firmware, struct error *error);

#endif
