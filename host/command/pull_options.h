/* SPDX-License-Identifier: MIT */
/* The options of `bareprof pull`. Private to command/pull*.c. */
#ifndef COMMAND_PULL_OPTIONS_H
#define COMMAND_PULL_OPTIONS_H

#include "command/target_options.h"
#include "target/pull/watch.h"

#include <stdbool.h>

struct pull_command_line {
	const struct command *command; /* for messages */
	struct watch_options watch;    /* for a single pull only its member pull */
	struct target_options target;
	bool is_watching, wants_console;
};

/* Parses the command line into *line, which must be all zero except for command and target (TARGET_OPTIONS_PLAIN) and
 * afterwards points into argv. Contradictory options are usage errors. */
enum status pull_parse(int argc, char **argv, struct pull_command_line *line, struct error *error);

#endif
