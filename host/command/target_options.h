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
	struct target_setup setup; /* except cancel and observer, which the command sets */
	bool is_verbose;           /* print each transfer to standard error */
};

#define TARGET_OPTIONS_PLAIN                  \
	{                                     \
		.setup = TARGET_SETUP_DEFAULT \
	}

/* Answers of getopt_long(), distinct from those of the commands. */
enum {
	TARGET_OPTION_SPEED = 512,
	TARGET_OPTION_PORT,
	TARGET_OPTION_CORE,
	TARGET_OPTION_RESET,
	TARGET_OPTION_AWAKE,
	TARGET_OPTION_VERBOSE
};

/* Rows for a command's table of options. */
#define TARGET_OPTION_ROWS                                                                                            \
	{"speed", required_argument, NULL, TARGET_OPTION_SPEED}, {"ap", required_argument, NULL, TARGET_OPTION_PORT}, \
	        {"core", required_argument, NULL, TARGET_OPTION_CORE},                                                \
	        {"reset-target", no_argument, NULL, TARGET_OPTION_RESET},                                             \
	        {"keep-awake", no_argument, NULL, TARGET_OPTION_AWAKE},                                               \
	{                                                                                                             \
		"verbose", no_argument, NULL, TARGET_OPTION_VERBOSE                                                   \
	}

/* Lines for the help of a command. */
#define TARGET_OPTIONS_HELP                                                                        \
	"      --speed=HZ        clock of the probe, such as 500k or 4M (default 1M)\n"            \
	"      --ap=N            access port (default: the first with memory)\n"                   \
	"      --core=N          number of the core, from 0\n"                                     \
	"      --reset-target    reset the target first\n"                                         \
	"      --keep-awake      keep the debug part of an STM32 on while its core sleeps (WFI)\n" \
	"      --verbose         print each transfer on a line of standard error\n"

/* Handles an option that is not the command's own; otherwise acts as command_bad_option(). */
enum status target_options_take(const struct command *command, int option, const struct option *options,
                                char *const *argv, struct target_options *target, struct error *error);
/* Resolves the one SOURCE that getopt_long() left, and checks that it supports the options; text: whether console text
 * is requested. */
enum status target_options_source(const struct command *command, int argc, char *const *argv, bool text,
                                  struct target_options *target, struct error *error);

#endif
