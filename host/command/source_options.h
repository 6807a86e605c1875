/* SPDX-License-Identifier: MIT */
/* Options of the commands that show source and instructions. */
#ifndef COMMAND_SOURCE_OPTIONS_H
#define COMMAND_SOURCE_OPTIONS_H

#include "command/options.h"
#include "report/output.h"

struct source_options {
	struct output_source_paths paths;
	const char *objdump; /* the program; NULL: a toolchain's */
	/* Private: one entry for each word of the command line. */
	struct output_source_prefix *prefixes;
	const char **folders;
};

extern const struct command_option source_options[];

/* Call it before the options are parsed. Freed by source_options_end(), also after a failure. */
enum status source_options_begin(struct source_options *options, int argc, struct error *error);
/* True if the user gave any of them. */
bool source_options_are_given(const struct source_options *options);
void source_options_end(struct source_options *options);

#endif
