/* SPDX-License-Identifier: MIT */
/* The table of commands and what all of them share. */
#include "command/command.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

const struct command *const command_table[] = {
        &command_pull, &command_report, &command_info, &command_export, NULL,
};

void command_print_help(const struct command *command)
{
	printf("Usage: bareprof %s %s\n\n%s\n\n%s", command->name, command->synopsis, command->summary, command->help);
}

enum status command_usage(const struct command *command, struct error *error, const char *format, ...)
{
	char reason[256];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(reason, sizeof reason, format, arguments);
	va_end(arguments);
	return status_usage(error, "%s: %s (usage: bareprof %s %s)", command->name, reason, command->name,
	                    command->synopsis);
}

/* getopt leaves an unknown letter, or a known option that lacks its argument, in optopt; a word that it does not know
 * stands before optind. */
enum status command_bad_option(const struct command *command, char *const *argv, struct error *error)
{
	if (optopt > ' ' && optopt <= '~' && strncmp(argv[optind - 1], "--", 2) != 0)
		return command_usage(command, error, "cannot use -%c here", optopt);
	return command_usage(command, error, "cannot use %s", argv[optind - 1]);
}
