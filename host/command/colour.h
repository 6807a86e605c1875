/* SPDX-License-Identifier: MIT */
/* The choice of coloured output. Private to command/. */
#ifndef COMMAND_COLOUR_H
#define COMMAND_COLOUR_H

#include "command/command.h"

#include <stdbool.h>

#define COLOUR_HELP "      --color=WHEN     auto (default), always or never; auto honours NO_COLOR\n"

/* Whether standard output is a terminal with colours and NO_COLOR is unset. */
bool command_wants_colour(void);

/* Parses the value of --color; auto leaves *colour unchanged. */
enum status command_parse_colour(const struct command *command, const char *when, bool *colour, struct error *error);

#endif
