/* SPDX-License-Identifier: MIT */
/* The table of commands, `bareprof help`, and the list of all commands. */
#include "command/command.h"
#include "command/options.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

const struct command *const command_table[] = {
        &command_pull,         &command_sample,     &command_top,  &command_devices,
        &command_report,       &command_annotate,   &command_diff, &command_info,
        &command_export,       &command_merge,      &command_push, &command_gprof,
        &command_unwind_table, &command_completion, &command_help, NULL,
};

void command_print_all(void)
{
	printf("Usage: bareprof COMMAND [OPTION]... [ARGUMENT]...\n\n"
	       "gprof for microcontrollers: pull a profile from a running target, then report or export it.\n\n"
	       "Commands:\n");
	for (const struct command *const *entry = command_table; *entry != NULL; entry++)
		printf("  %-10s %s\n", (*entry)->name, (*entry)->summary);
	printf("\nbareprof COMMAND --help shows the options of a command; bareprof --version shows the version.\n"
	       "Exit status: 0 done, 1 failed, 2 usage, 3 a rule of diff was broken.\n\n"
	       "Example: bareprof pull stlink -e fw.elf -o run.bprof --reset --start --wait 5 --stop\n"
	       "         bareprof report fw.elf run.bprof\n");
}

enum status command_find(const struct command *const *commands, const char *name, const struct command **command,
                         struct error *error)
{
	for (const struct command *const *entry = commands; *entry != NULL; entry++) {
		*command = *entry;
		if (strcmp((*entry)->name, name) == 0)
			return STATUS_OK;
	}
	return status_usage(error, "unknown command '%s'; bareprof --help lists the commands", name);
}

static enum status run_help(int argc, char **argv, struct error *error)
{
	const struct command *command = NULL;
	enum status status = command_parse_options(&command_help, argc, argv, NULL, error);

	if (status == STATUS_OK && argc - optind > 1)
		return command_usage(&command_help, error, "expected at most one command, got %d", argc - optind);
	if (status == STATUS_OK && optind < argc)
		status = command_find(command_table, argv[optind], &command, error);
	if (status == STATUS_OK && command != NULL)
		command_print_help(command);
	else if (status == STATUS_OK)
		command_print_all();
	return status;
}

static void list_commands(command_word_found found, void *context)
{
	for (const struct command *const *entry = command_table; *entry != NULL; entry++)
		found(context, (*entry)->name, (*entry)->summary);
}

const struct command command_help = {
        .name = "help",
        .synopsis = "[COMMAND]",
        .summary = "show the options of a command",
        .list_words = list_commands,
        .help = "The same as bareprof COMMAND --help; without COMMAND, the same as bareprof --help.\n",
        .options = (const struct option_table[]){{0}},
        .example = "bareprof help report\n",
        .run = run_help,
};
