/* SPDX-License-Identifier: MIT */
/* Whether to print in colour, as commands that print for people ask it. Private to command/. */
#ifndef COMMAND_COLOUR_H
#define COMMAND_COLOUR_H

#include "command/command.h"

#include <stdbool.h>

#define COLOUR_HELP "      --color=WHEN     auto (default), always or never; NO_COLOR is obeyed\n"

/* Standard output is a terminal that may have colour. */
bool command_wants_colour(void);

/* What --color=WHEN asks for; auto leaves *colour as it is. */
enum status command_parse_colour(const struct command *command, const char *when, bool *colour, struct error *error);

#endif
