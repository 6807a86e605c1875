/* SPDX-License-Identifier: MIT */
/* Help, usage errors and checks of options, shared by all commands. */
#include "command/command.h"

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void command_print_help(const struct command *command)
{
	printf("Usage: bareprof %s%s%s\n\n%s\n\n", command->name, command->synopsis[0] ? " " : "", command->synopsis,
	       command->summary);
	if (command->print_arguments != NULL)
		command->print_arguments();
	fputs(command->help, stdout);
	if (command->print_options != NULL)
		command->print_options();
}

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

static bool is_known(const struct option *options, int letter)
{
	for (; options->name != NULL; options++)
		if (options->val == letter)
			return true;
	return false;
}

/* Whether word gives a value to a long option that takes none: --lines=3. */
static bool is_value_too_many(const struct option *options, int letter, const char *word)
{
	for (; options->name != NULL; options++)
		if (options->val == letter && options->has_arg == no_argument)
			return strncmp(word, "--", 2) == 0 && strchr(word, '=') != NULL;
	return false;
}

/* optopt holds a short option, anywhere in its word; a long option is the word before optind. A known option is refused
 * only in its long form: --force=x. */
enum status command_bad_option(const struct command *command, int answer, const struct option *options,
                               char *const *argv, struct error *error)
{
	const char *word = argv[optind - 1];
	const char letter[] = {'-', (char)optopt, '\0'};
	bool is_long = answer == ':' ? strncmp(word, "--", 2) == 0 : optopt == 0 || is_known(options, optopt);
	const char *problem = ": unknown option";
	if (answer == ':')
		problem = " needs a value";
	else if (is_value_too_many(options, optopt, word))
		problem = ": takes no value";
	return command_usage(command, error, "%s%s", is_long ? word : letter, problem);
}
