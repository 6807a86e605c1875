/* SPDX-License-Identifier: MIT */
/* The SOURCE and the options of the commands that connect to a target. Private to command/. */
#ifndef COMMAND_TARGET_OPTIONS_H
#define COMMAND_TARGET_OPTIONS_H

#include "acquire/backend/backends.h"
#include "command/options.h"

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

/* Options of a debug probe, which set a struct target_options. */
extern const struct command_option probe_options[];

/* Resolves the SOURCE that remains after command_parse_options(), and checks that it supports the options and, if
 * wanted, a console. */
enum status target_options_source(const struct command *command, int argc, char *const *argv, bool wants_console,
                                  struct target_options *target, struct error *error);

/* Prints the lines of a kind of source in a help text. */
void target_print_source(const struct source_syntax *syntax);
/* Passes the beginning of a SOURCE to found(), for completion: its scheme, with ':' if an address must follow. */
void target_list_source(const struct source_syntax *syntax, command_word_found found, void *context);
/* Calls target_list_source() for every kind of source; for list_words of struct command. */
void target_list_sources(command_word_found found, void *context);

#endif
