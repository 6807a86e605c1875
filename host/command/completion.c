/* SPDX-License-Identifier: MIT */
/* `bareprof completion`: prints a script with which a shell completes command lines. */
#include "command/options.h"
#include "command/scripts.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

static const struct shell {
	const char *name;
	const char *summary; /* how to use the script */
	const char *const *script;
} shells[] = {
        {"bash", "save as ~/.local/share/bash-completion/completions/bareprof, or source", completion_bash},
        {"zsh", "save as _bareprof in a folder of $fpath, or source after compinit", completion_zsh},
        {"fish", "save as ~/.config/fish/completions/bareprof.fish, or source", completion_fish},
        {0},
};

static enum status run_completion(int argc, char **argv, struct error *error)
{
	enum status status = command_parse_options(&command_completion, argc, argv, NULL, error);
	const struct shell *shell = shells;

	if (status != STATUS_OK)
		return status;
	if (argc - optind != 1)
		return command_usage(&command_completion, error, "expected one shell, got %d", argc - optind);
	while (shell->name != NULL && strcmp(shell->name, argv[optind]) != 0)
		shell++;
	if (shell->name == NULL)
		return command_usage(&command_completion, error,
		                     "unknown shell '%.80s'; bareprof completion --help lists the shells",
		                     argv[optind]);
	for (const char *const *line = shell->script; *line != NULL; line++)
		fputs(*line, stdout);
	return STATUS_OK;
}

static void list_shells(command_word_found found, void *context)
{
	for (const struct shell *shell = shells; shell->name != NULL; shell++)
		found(context, shell->name, shell->summary);
}

static void print_shells(void)
{
	puts("SHELL is one of");
	for (const struct shell *shell = shells; shell->name != NULL; shell++)
		printf("  %-4s  %s\n", shell->name, shell->summary);
	putchar('\n');
}

const struct command command_completion = {
        .name = "completion",
        .synopsis = "SHELL",
        .summary = "print a script that completes commands and options in a shell",
        .print_arguments = print_shells,
        .list_words = list_shells,
        .help = "make install also installs these scripts.\n",
        .options = (const struct option_table[]){{0}},
        .example = "bareprof completion fish >~/.config/fish/completions/bareprof.fish\n"
                   "         source <(bareprof completion bash)\n",
        .run = run_completion,
};
