/* SPDX-License-Identifier: MIT */
/* `bareprof completion`: prints a script that completes command lines in a shell. */
#include "command/completion.h"

#include <getopt.h>
#include <string.h>

static const struct completion_shell *const shells[] = {&completion_bash, &completion_zsh, &completion_fish, NULL};

const struct completion_shell *completion_find_shell(const char *name)
{
	for (const struct completion_shell *const *shell = shells; *shell != NULL; shell++)
		if (strcmp((*shell)->name, name) == 0)
			return *shell;
	return NULL;
}

static enum status run(const struct command *const *commands, int argc, char **argv, struct error *error)
{
	enum status status = command_parse_options(&command_completion, argc, argv, NULL, error);

	if (status != STATUS_OK)
		return status;
	if (argc - optind != 1)
		return command_usage(&command_completion, error, "expected one shell, got %d", argc - optind);
	const struct completion_shell *shell = completion_find_shell(argv[optind]);
	if (shell == NULL)
		return command_usage(&command_completion, error,
		                     "unknown shell '%.80s'; bareprof completion --help lists the shells",
		                     argv[optind]);
	shell->write(stdout, commands);
	return STATUS_OK;
}

static void list_words(const struct command *const *commands, command_word_found found, void *context)
{
	(void)commands;
	for (const struct completion_shell *const *shell = shells; *shell != NULL; shell++)
		found(context, (*shell)->name, (*shell)->summary);
}

static void print_shells(void)
{
	puts("SHELL is one of");
	for (const struct completion_shell *const *shell = shells; *shell != NULL; shell++)
		printf("  %-4s  %s\n", (*shell)->name, (*shell)->summary);
	putchar('\n');
}

const struct command command_completion = {
        .name = "completion",
        .synopsis = "SHELL",
        .summary = "print a script that completes commands and options in a shell",
        .print_arguments = print_shells,
        .list_words = list_words,
        .help = "make install also installs these scripts.\n",
        .options = (const struct option_table[]){{0}},
        .example = "bareprof completion fish >~/.config/fish/completions/bareprof.fish\n"
                   "         source <(bareprof completion bash)\n",
        .run_about = run,
};
