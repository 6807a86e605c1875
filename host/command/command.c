/* SPDX-License-Identifier: MIT */
/* Usage errors, shared by all commands. */
#include "command/command.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum status command_usage(const struct command *command, struct error *error, const char *format, ...)
{
	char reason[256];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(reason, sizeof reason, format, arguments);
	va_end(arguments);
	return status_usage(error, "%s: %s (usage: bareprof %s%s%s)", command->name, reason, command->name,
	                    command->synopsis[0] ? " " : "", command->synopsis);
}

enum status command_check_binary_output(const struct command *command, const char *path, const char *what,
                                        struct error *error)
{
	if (strcmp(path, "-") != 0 || !isatty(STDOUT_FILENO))
		return STATUS_OK;
	return command_usage(command, error, "%s cannot be written to a terminal; use -o FILE", what);
}

enum status command_check_capture(const struct command *command, const char *path, struct error *error)
{
	if (path == NULL)
		return command_usage(command, error, "missing -o FILE");
	return command_check_binary_output(command, path, "a capture", error);
}
