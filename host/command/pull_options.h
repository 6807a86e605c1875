/* SPDX-License-Identifier: MIT */
/* The options of `bareprof pull`. Private to command/pull*.c. */
#ifndef COMMAND_PULL_OPTIONS_H
#define COMMAND_PULL_OPTIONS_H

#include "command/target_options.h"
#include "target/pull/watch.h"

#include <stdbool.h>

struct pull_command_line {
	const struct command *command; /* for messages */
	struct watch_options watch;    /* of a single pull only its pull */
	struct target_options target;
	bool is_watching, wants_console;
};

/* *line is all zero before but command and target, which is TARGET_OPTIONS_PLAIN, and points into argv behind. What is
 * wrong with the options alone is a usage error. */
enum status pull_parse(int argc, char **argv, struct pull_command_line *line, struct error *error);

#endif
