/* SPDX-License-Identifier: MIT */
/* See options.h. */
#include "command/options.h"

#include "base/text/demangle.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* More than any command has. */
#define OPTIONS_MAX 64

/* Columns of the options in --help. */
#define COLUMNS_DEFAULT 23

/* The tables of a command in the form that getopt_long() needs. For an option without a letter, getopt_long() returns
 * its index plus a number above all characters. */
struct getopt_tables {
	char letters[3 * OPTIONS_MAX + 2];
	struct option longs[OPTIONS_MAX + 1];
	const struct command_option *rows[OPTIONS_MAX];
	void *targets[OPTIONS_MAX];
	int answers[OPTIONS_MAX];
	size_t count, long_count;
};

static int argument_of(const struct command_option *row)
{
	if (row->value == NULL)
		return no_argument;
	return row->value[0] == '[' ? optional_argument : required_argument;
}

bool option_is_end(const struct command_option *row)
{
	return row->letter == '\0' && row->name == NULL;
}

static void add_option_row(struct getopt_tables *tables, const struct command_option *row, void *target)
{
	size_t index = tables->count++;

	tables->rows[index] = row;
	tables->targets[index] = target;
	tables->answers[index] = row->letter != '\0' ? row->letter : 256 + (int)index;
	if (row->letter != '\0') {
		static const char *const colons[] = {
		        [no_argument] = "", [required_argument] = ":", [optional_argument] = "::"};
		size_t length = strlen(tables->letters);

		snprintf(tables->letters + length, sizeof tables->letters - length, "%c%s", row->letter,
		         colons[argument_of(row)]);
	}
	if (row->name != NULL)
		tables->longs[tables->long_count++] =
		        (struct option){row->name, argument_of(row), NULL, tables->answers[index]};
}

static bool is_known_letter(const struct option *options, int letter)
{
	for (; options->name != NULL; options++)
		if (options->val == letter)
			return true;
	return false;
}

/* Whether word gives a value to a long option that takes no value: --lines=3. */
static bool is_value_too_many(const struct option *options, int letter, const char *word)
{
	for (; options->name != NULL; options++)
		if (options->val == letter && options->has_arg == no_argument)
			return strncmp(word, "--", 2) == 0 && strchr(word, '=') != NULL;
	return false;
}

/* Explains the result '?' or ':' of getopt_long(). A short option, anywhere in its word, is in optopt; a long option is
 * the word before optind. A known option that takes no value is refused only in its long form: --force=x. */
static enum status refuse_getopt_answer(const struct command *command, int answer, const struct option *options,
                                        char *const *argv, struct error *error)
{
	const char *word = argv[optind - 1];
	const char letter[] = {'-', (char)optopt, '\0'};
	bool is_long = answer == ':' ? strncmp(word, "--", 2) == 0 : optopt == 0 || is_known_letter(options, optopt);
	const char *problem = ": unknown option";

	if (answer == ':')
		problem = " needs a value";
	else if (is_value_too_many(options, optopt, word))
		problem = ": takes no value";
	return command_usage(command, error, "%s%s", is_long ? word : letter, problem);
}

enum status command_parse_options(const struct command *command, int argc, char **argv, void *parsed,
                                  struct error *error)
{
	struct getopt_tables tables = {.letters = ":"};
	enum status status = STATUS_OK;

	optind = 0; /* resets getopt */
	for (const struct option_table *table = command->options; table->rows != NULL; table++)
		for (const struct command_option *row = table->rows; !option_is_end(row); row++)
			add_option_row(&tables, row, (char *)parsed + table->member);
	for (int answer;
	     status == STATUS_OK && (answer = getopt_long(argc, argv, tables.letters, tables.longs, NULL)) != -1;) {
		size_t i = 0;

		while (i < tables.count && tables.answers[i] != answer)
			i++;
		if (i == tables.count)
			return refuse_getopt_answer(command, answer, tables.longs, argv, error);
		const struct given_option given = {command, tables.rows[i], tables.targets[i], optarg, argc, argv};
		status = given.row->take(&given, error);
	}
	return status;
}

const char *option_first_conflict(const struct option_conflict *conflicts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (conflicts[i].is_present)
			return conflicts[i].message;
	return NULL;
}

static void print_option_row(const struct command_option *row, int columns)
{
	char form[64] = "    ", name[48] = "";
	const char *value = row->value != NULL ? row->value : "";
	bool is_optional = value[0] == '[';

	if (row->letter != '\0')
		snprintf(form, sizeof form, "  -%c", row->letter);
	if (row->name != NULL)
		snprintf(name, sizeof name, "%s--%s", row->letter != '\0' ? ", " : "  ", row->name);
	const char *before = value[0] == '\0' ? "" : row->name == NULL ? " " : is_optional ? "[=" : "=";
	int length = printf("%s%s%s%s", form, name, before, value + is_optional);
	printf(length < columns ? "%*s" : "\n%*s", length < columns ? columns - length : columns, "");
	for (const char *line = row->help;; line++) {
		size_t line_length = strcspn(line, "\n");

		printf("%.*s\n", (int)line_length, line);
		line += line_length;
		if (*line == '\0')
			return;
		printf("%*s", columns, "");
	}
}

void command_print_help(const struct command *command)
{
	int columns = command->option_columns > 0 ? command->option_columns : COLUMNS_DEFAULT;

	printf("Usage: bareprof %s%s%s\n\n%s\n\n", command->name, command->synopsis[0] ? " " : "", command->synopsis,
	       command->summary);
	if (command->print_arguments != NULL)
		command->print_arguments();
	fputs(command->help, stdout);
	for (const struct option_table *table = command->options; table->rows != NULL; table++) {
		const struct command_option *row = table->rows;

		for (; !option_is_end(row); row++)
			print_option_row(row, columns);
		if (row->help != NULL)
			puts(row->help);
	}
	if (command->example != NULL)
		printf("\nExample: %s", command->example);
}

enum status option_refuse(const struct given_option *given, const char *value, const char *expected,
                          struct error *error)
{
	if (given->row->letter != '\0')
		return command_usage(given->command, error, "-%c %.80s: expected %s", given->row->letter, value,
		                     expected);
	return command_usage(given->command, error, "--%s=%.80s: expected %s", given->row->name, value, expected);
}

/* Formats choices as in "swd, jtag or auto". */
static const char *join_choices(const char *const *choices, char *text, size_t size)
{
	size_t length = 0;

	for (text[0] = '\0'; *choices != NULL && length < size; choices++) {
		const char *before = length == 0 ? "" : choices[1] == NULL ? " or " : ", ";

		length += (size_t)snprintf(text + length, size - length, "%s%s", before, *choices);
	}
	return text;
}

enum status option_refuse_choice(const struct given_option *given, struct error *error)
{
	char expected[128];

	return option_refuse(given, given->value, join_choices(given->row->choices, expected, sizeof expected), error);
}

enum status option_find_choice(const struct given_option *given, size_t *index, struct error *error)
{
	for (*index = 0; given->row->choices[*index] != NULL; ++*index)
		if (strcmp(given->row->choices[*index], given->value) == 0)
			return STATUS_OK;
	return option_refuse_choice(given, error);
}

void *option_member(const struct given_option *given)
{
	return (char *)given->target + given->row->member;
}

enum status option_take_switch(const struct given_option *given, struct error *error)
{
	(void)error;
	*(bool *)option_member(given) = true;
	return STATUS_OK;
}

enum status option_take_text(const struct given_option *given, struct error *error)
{
	(void)error;
	*(const char **)option_member(given) = given->value;
	return STATUS_OK;
}

enum status option_take_nothing(const struct given_option *given, struct error *error)
{
	(void)given, (void)error;
	return STATUS_OK;
}

static enum status take_style(const struct given_option *given, struct error *error)
{
	if (demangle_find_style(given->value != NULL ? given->value : "none", given->target))
		return STATUS_OK;
	return option_refuse_choice(given, error);
}

const char *const style_choices[] = {"auto", "gnu-v3", "rust", "dlang", "gnat", NULL};

const struct command_option style_options[] = {
        {'\0', "demangle", "STYLE", "demangle names: auto (default: C++ and Rust), gnu-v3, rust, dlang or gnat",
         .choices = style_choices, .take = take_style},
        {'\0', "no-demangle", NULL, "print names as in the ELF", .take = take_style},
        {0},
};

/* https://no-color.org: any value but the empty one. */
bool option_default_colour(void)
{
	const char *no_color = getenv("NO_COLOR");
	const char *terminal = getenv("TERM");

	return isatty(STDOUT_FILENO) && (no_color == NULL || no_color[0] == '\0') &&
	       (terminal == NULL || strcmp(terminal, "dumb") != 0);
}

static enum status take_colour(const struct given_option *given, struct error *error)
{
	enum { AUTO, ALWAYS, NEVER };
	bool *colour = given->target;
	size_t choice;
	enum status status = option_find_choice(given, &choice, error);

	if (status == STATUS_OK)
		*colour = choice == ALWAYS || (*colour && choice == AUTO);
	return status;
}

static const char *const colour_choices[] = {"auto", "always", "never", NULL};

const struct command_option colour_options[] = {
        {'\0', "color", "WHEN", "auto (default), always or never; auto honours NO_COLOR", .choices = colour_choices,
         .take = take_colour},
        {0},
};
