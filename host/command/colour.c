/* SPDX-License-Identifier: MIT */
/* See colour.h. */
#include "command/colour.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* https://no-color.org: any value but the empty one. */
bool command_wants_colour(void)
{
	const char *no_color = getenv("NO_COLOR");
	const char *terminal = getenv("TERM");
	return isatty(STDOUT_FILENO) && (no_color == NULL || no_color[0] == '\0') &&
	       (terminal == NULL || strcmp(terminal, "dumb") != 0);
}

enum status command_parse_colour(const struct command *command, const char *when, bool *colour, struct error *error)
{
	if (strcmp(when, "always") == 0)
		*colour = true;
	else if (strcmp(when, "never") == 0)
		*colour = false;
	else if (strcmp(when, "auto") != 0)
		return command_usage(command, error, "--color=%s: expected auto, always or never", when);
	return STATUS_OK;
}
