/* SPDX-License-Identifier: MIT */
/* The completion script for bash, from version 3.2 on. */
#include "command/completion.h"

#include <string.h>

/* COMP_WORDBREAKS normally splits --NAME=VALUE and SCHEME:ADDRESS at '=' and ':', which are then words of their own.
 * Names of files are left to readline (-o default), which quotes them. compopt fails before version 4 of bash and
 * outside a completion. */
static const char functions[] =
        "_bareprof_offer() {\n"
        "\tlocal word\n"
        "\tcompopt +o default 2>/dev/null\n"
        "\tfor word; do\n"
        "\t\t[[ $word != \"$current\"* ]] || COMPREPLY+=(\"$prefix$word\")\n"
        "\tdone\n"
        "\t[[ ${#COMPREPLY[@]} != 1 || $COMPREPLY != *[=:] ]] || compopt -o nospace 2>/dev/null\n"
        "}\n\n"
        "# Whether the first argument precedes the cursor.\n"
        "_bareprof_has_argument() {\n"
        "\tlocal i word\n"
        "\tfor ((i = 2; i < COMP_CWORD; i++)); do\n"
        "\t\tword=${COMP_WORDS[i]}\n"
        "\t\tif [[ $word == = || ($valued == *\" $word \"* && ${COMP_WORDS[i + 1]} != =) ]]; then\n"
        "\t\t\t((i++))\n"
        "\t\telif [[ $word != -?* ]]; then\n"
        "\t\t\treturn 0\n"
        "\t\tfi\n"
        "\tdone\n"
        "\treturn 1\n"
        "}\n\n"
        "# Finds the option whose value is at the cursor.\n"
        "_bareprof_find_option() {\n"
        "\tlocal previous=${COMP_WORDS[COMP_CWORD - 1]}\n"
        "\tif [[ $current == --*=* ]]; then\n"
        "\t\toption=${current%%=*} prefix=${current%%=*}= current=${current#*=}\n"
        "\telif [[ $current == = ]]; then\n"
        "\t\toption=$previous current=\n"
        "\telif [[ $previous == = ]]; then\n"
        "\t\toption=${COMP_WORDS[COMP_CWORD - 2]}\n"
        "\telif [[ $valued == *\" $previous \"* ]]; then\n"
        "\t\toption=$previous\n"
        "\tfi\n"
        "\t[[ $option == -* ]]\n"
        "}\n\n"
        "_bareprof() {\n"
        "\tlocal current=${COMP_WORDS[COMP_CWORD]} command= option= prefix= kind= valued=\n"
        "\tlocal options=() arguments=() values=()\n"
        "\tCOMPREPLY=()\n"
        "\t((COMP_CWORD < 2)) || command=${COMP_WORDS[1]}\n"
        "\t_bareprof_command\n"
        "\tif ((COMP_CWORD > 1)) && _bareprof_find_option; then\n"
        "\t\t_bareprof_value\n"
        "\t\t[[ $kind == file ]] || _bareprof_offer \"${values[@]}\"\n"
        "\t\t[[ $kind != folder ]] || compopt -o dirnames 2>/dev/null\n"
        "\telif [[ $current == -* ]]; then\n"
        "\t\t_bareprof_offer \"${options[@]}\"\n"
        "\telif ((${#arguments[@]} > 0)) && ! _bareprof_has_argument; then\n"
        "\t\t_bareprof_offer \"${arguments[@]}\"\n"
        "\tfi\n"
        "}\n\n"
        "complete -o default -F _bareprof bareprof\n";

static void write_quoted(FILE *stream, const char *text)
{
	fputc('\'', stream);
	completion_write_text(stream, text, "");
	fputc('\'', stream);
}

static void write_argument(void *context, const char *word, const char *summary)
{
	FILE *stream = context;

	(void)summary;
	fputc(' ', stream);
	write_quoted(stream, word);
}

/* With '=' after a name that needs a value. */
static void write_option(FILE *stream, const struct command *command, const struct command_option *row)
{
	(void)command;
	if (row->letter != '\0')
		fprintf(stream, " -%c", row->letter);
	if (row->name != NULL)
		fprintf(stream, " --%s%s", row->name, completion_takes_word(row) ? "=" : "");
}

static void write_command(FILE *stream, const struct command *command, const struct command *const *commands)
{
	fprintf(stream, "\t%s)\n\t\toptions=(", command->name);
	completion_each_option(stream, command, write_option);
	fputs(" )\n\t\tvalued='", stream);
	completion_each_option(stream, command, completion_write_valued);
	fputs(" '\n", stream);
	if (command->list_words != NULL) {
		fputs("\t\targuments=(", stream);
		command->list_words(commands, write_argument, stream);
		fputs(" )\n", stream);
	}
	if (command->synopsis[0] == '\0')
		fputs("\t\tcompopt +o default 2>/dev/null\n", stream);
	fputs("\t\t;;\n", stream);
}

static void write_commands(FILE *stream, const struct command *const *commands)
{
	fputs("_bareprof_command() {\n\tcase $command in\n\t'')\n\t\toptions=( --help --version )\n\t\targuments=(",
	      stream);
	for (size_t i = 0; commands[i] != NULL; i++)
		fprintf(stream, " %s", commands[i]->name);
	fputs(" )\n\t\t;;\n", stream);
	for (size_t i = 0; commands[i] != NULL; i++)
		write_command(stream, commands[i], commands);
	fputs("\tesac\n}\n\n", stream);
}

static void write_values(FILE *stream, const char *const *choices)
{
	fputs("values=(", stream);
	for (; *choices != NULL; choices++) {
		fputc(' ', stream);
		write_quoted(stream, *choices);
	}
	fputs(" )", stream);
}

/* The value of an option, unless nothing is offered for it. */
static void write_value(FILE *stream, const struct command *command, const struct command_option *row)
{
	static const char *const kinds[] = {[COMPLETION_FILE] = "kind=file", [COMPLETION_FOLDER] = "kind=folder"};
	enum completion_value value = completion_value_of(row);

	if (value == COMPLETION_NO_VALUE || value == COMPLETION_OTHER)
		return;
	fputc('\t', stream);
	if (row->letter != '\0')
		fprintf(stream, "'%s -%c'%s", command->name, row->letter, row->name != NULL ? " | " : "");
	if (row->name != NULL)
		fprintf(stream, "'%s --%s'", command->name, row->name);
	fputs(") ", stream);
	if (value == COMPLETION_CHOICE)
		write_values(stream, row->choices);
	else
		fputs(kinds[value], stream);
	fputs(" ;;\n", stream);
}

static void write_script(FILE *stream, const struct command *const *commands)
{
	fputs("# Completion of bareprof in bash, generated by: bareprof completion bash\n\n", stream);
	write_commands(stream, commands);
	fputs("_bareprof_value() {\n\tcase \"$command $option\" in\n", stream);
	for (size_t i = 0; commands[i] != NULL; i++)
		completion_each_option(stream, commands[i], write_value);
	fputs("\tesac\n}\n\n", stream);
	fputs(functions, stream);
}

const struct completion_shell completion_bash = {
        .name = "bash",
        .summary = "save as ~/.local/share/bash-completion/completions/bareprof, or source",
        .write = write_script,
};
