/* SPDX-License-Identifier: MIT */
/* The options by which a report leaves out functions and arcs; docs/GPROF.md has the letters that gprof has for them.
 * Private to command/. */
#ifndef COMMAND_REPORT_FILTERS_H
#define COMMAND_REPORT_FILTERS_H

#include "command/command.h"
#include "firmware/image.h"
#include "profile/filters.h"

#include <stdbool.h>

struct report_filters {
	struct report_filter *given; /* in the order of the command line */
	size_t count;
	char *text;              /* the options as they were given */
	char *idle_arcs;         /* those of them that name arcs which were not there; NULL: none */
	struct filters *filters; /* NULL: none was given, or report_filters_resolve() is to come */
};

/* Their long options, for getopt_long(), and their help. */
enum { OPTION_FOCUS = 768, OPTION_HIDE, OPTION_FLAT_ONLY, OPTION_ONLY_ARC, OPTION_EXCLUDE_ARC };
#define FILTER_LONG_OPTIONS                                                                               \
	{"focus", required_argument, NULL, OPTION_FOCUS}, {"hide", required_argument, NULL, OPTION_HIDE}, \
	        {"flat-only", required_argument, NULL, OPTION_FLAT_ONLY},                                 \
	        {"only-arc", required_argument, NULL, OPTION_ONLY_ARC},                                   \
	{                                                                                                 \
		"exclude-arc", required_argument, NULL, OPTION_EXCLUDE_ARC                                \
	}
#define FILTER_HELP                                                                               \
	"      --focus=F        in the call graph, only F, what it calls, and their time\n"       \
	"      --hide=F         leave F and its time out of flat profile and call graph\n"        \
	"      --flat-only=F    in the flat profile, only F, whose time is the 100 %\n"           \
	"      --only-arc=F/G   only calls of G by F; --only-arc=F/: all calls by F\n"            \
	"      --exclude-arc=F/G\n"                                                               \
	"                       as if F had never called G; --exclude-arc=/G: as if nobody had\n" \
	"                       F is FUNCTION, FILE.c, FILE.c:FUNCTION, FILE.c:LINE or :NAME.WITH.DOT\n"

/* Takes the option that getopt_long() answered if it is one of them: then *is_taken. value is kept. Freed by
 * report_filters_free(). */
enum status report_filters_take(const struct command *command, int option, const char *value,
                                struct report_filters *taken, bool *is_taken, struct error *error);
void report_filters_free(struct report_filters *taken);

/* Fills taken->filters: a function may be named as the image names it, or by what is printed of that, demangled. */
enum status report_filters_resolve(struct report_filters *taken, const struct image *image, struct error *error);

/* Fails if one of them names no function of the profile that they were given to; finds the idle arcs. */
enum status report_filters_check(struct report_filters *taken, const char *firmware, struct error *error);

#endif
