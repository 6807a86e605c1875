/* SPDX-License-Identifier: MIT */
/* The SOURCE and the options of the commands that connect to a target. Private to command/. */
#ifndef COMMAND_TARGET_OPTIONS_H
#define COMMAND_TARGET_OPTIONS_H

#include "command/command.h"
#include "target/backend/backends.h"

#include <getopt.h>
#include <stdbool.h>

struct target_options {
	struct source source;
	struct target_setup setup; /* but cancel and observer, which are the command's */
	bool is_verbose;           /* each transfer is a line of standard error */
};

#define TARGET_OPTIONS_PLAIN                  \
	{                                     \
		.setup = TARGET_SETUP_DEFAULT \
	}

/* What getopt_long() answers: nothing that a command has itself. */
enum {
	TARGET_OPTION_SPEED = 512,
	TARGET_OPTION_PORT,
	TARGET_OPTION_CORE,
	TARGET_OPTION_RESET,
	TARGET_OPTION_AWAKE,
	TARGET_OPTION_VERBOSE
};

/* Rows of a command's table of options. */
#define TARGET_OPTION_ROWS                                                                                            \
	{"speed", required_argument, NULL, TARGET_OPTION_SPEED}, {"ap", required_argument, NULL, TARGET_OPTION_PORT}, \
	        {"core", required_argument, NULL, TARGET_OPTION_CORE},                                                \
	        {"reset-target", no_argument, NULL, TARGET_OPTION_RESET},                                             \
	        {"keep-awake", no_argument, NULL, TARGET_OPTION_AWAKE},                                               \
	{                                                                                                             \
		"verbose", no_argument, NULL, TARGET_OPTION_VERBOSE                                                   \
	}

/* Of a command's help. */
#define TARGET_OPTIONS_HELP                                                                        \
	"      --speed=HZ        of the clock, such as 500k or 4M; 1M if not said\n"               \
	"      --ap=N            the access port; the first that leads to memory if not said\n"    \
	"      --core=N          the core, counted from 0\n"                                       \
	"      --reset-target    reset the target before anything else\n"                          \
	"      --keep-awake      keep the debug part of an STM32 on while its core sleeps (WFI)\n" \
	"      --verbose         print what goes to and fro, a line for each transfer, to standard error\n"

/* Takes an option that is none of the command's own; for the rest see command_bad_option(). */
enum status target_options_take(const struct command *command, int option, const struct option *options,
                                char *const *argv, struct target_options *target, struct error *error);
/* Resolves the one SOURCE that getopt_long() left, and checks that it has what the options ask for; text: what the
 * target prints is asked for, too. */
enum status target_options_source(const struct command *command, int argc, char *const *argv, bool text,
                                  struct target_options *target, struct error *error);

#endif
