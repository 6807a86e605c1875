/* SPDX-License-Identifier: MIT */
/* `bareprof __complete WORD...`, which completion scripts run: lists the completions of the last word. */
#include "command/options.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Control characters become blanks, so that a candidate is one line. */
static void print_candidate_text(FILE *stream, const char *text)
{
	for (; *text != '\0'; text++)
		fputc(iscntrl((unsigned char)*text) ? ' ' : *text, stream);
}

/* A command_word_found; context is the stream. */
static void print_candidate(void *context, const char *word, const char *summary)
{
	print_candidate_text(context, word);
	fputc('\t', context);
	print_candidate_text(context, summary);
	fputc('\n', context);
}

/* Prints the last line: the kind of file names that the shell completes, and where in the word such a name begins. */
static void print_completion_end(FILE *stream, const char *kind, size_t prefix_length)
{
	fprintf(stream, ":%s %zu\n", kind, prefix_length);
}

static bool takes_word(const struct command_option *row)
{
	return row->value != NULL && row->value[0] != '[';
}

/* Finds an option by its letter, or by the first length characters of name. */
static const struct command_option *find_option_row(const struct command *command, char letter, const char *name,
                                                    size_t length)
{
	for (const struct option_table *table = command->options; table->rows != NULL; table++)
		for (const struct command_option *row = table->rows; !option_is_end(row); row++)
			if ((letter != '\0' && row->letter == letter) ||
			    (row->name != NULL && strncmp(row->name, name, length) == 0 && row->name[length] == '\0'))
				return row;
	return NULL;
}

/* The last option of a word (O in -bO), or NULL. *value is its value in this word, or NULL. */
static const struct command_option *find_option(const struct command *command, const char *word, const char **value)
{
	const struct command_option *row = NULL;

	*value = NULL;
	if (word[1] == '-') {
		size_t length = strcspn(word, "=");

		if (word[length] == '=')
			*value = word + length + 1;
		return find_option_row(command, '\0', word + 2, length - 2);
	}
	while (*++word != '\0') {
		row = find_option_row(command, *word, "", 0);
		if (row == NULL || row->value != NULL) {
			*value = word[1] != '\0' ? word + 1 : NULL;
			return row;
		}
	}
	return row;
}

static void complete_value(FILE *stream, const struct command_option *row, const char *word, size_t prefix_length)
{
	static const char *const kinds[][2] = {
	        {"FILE", "files"}, {"FW.elf", "files"}, {"MAP", "files"}, {"DIR", "folders"}, {"FOLDERS", "folders"}};
	const char *kind = "none";

	for (const char *const *choice = row->choices; choice != NULL && *choice != NULL; choice++) {
		fprintf(stream, "%.*s", (int)prefix_length, word);
		print_candidate(stream, *choice, "");
	}
	for (size_t i = 0; row->value != NULL && i < sizeof kinds / sizeof *kinds; i++)
		if (strcmp(row->value, kinds[i][0]) == 0)
			kind = kinds[i][1];
	print_completion_end(stream, kind, prefix_length);
}

/* Prints the forms of an option that complete the word, which is "-", switches such as "-bl", or begins with "--". */
static void print_forms(FILE *stream, const struct command_option *row, const char *word)
{
	if (row->letter != '\0' && word[1] != '-' && strchr(word, row->letter) == NULL) {
		const char letter[] = {row->letter, '\0'};

		print_candidate_text(stream, word);
		print_candidate(stream, letter, row->help);
	}
	if (row->name != NULL && (word[1] == '-' || word[1] == '\0')) {
		char form[64];

		snprintf(form, sizeof form, "--%s%s", row->name, takes_word(row) ? "=" : "");
		print_candidate(stream, form, row->help);
	}
}

static void complete_option(FILE *stream, const struct command *command, const char *word)
{
	static const struct command_option help = {
	        .letter = 'h', .name = "help", .help = "show the options of the command"};
	const char *value;
	const struct command_option *row = find_option(command, word, &value);

	if (row != NULL && value != NULL) {
		complete_value(stream, row, word, (size_t)(value - word));
		return;
	}
	if (row != NULL && word[1] != '-')
		print_candidate(stream, word, row->help);
	if (word[1] == '-' || word[1] == '\0' || (row != NULL && row->value == NULL)) {
		for (const struct option_table *table = command->options; table->rows != NULL; table++)
			for (row = table->rows; !option_is_end(row); row++)
				print_forms(stream, row, word);
		if (find_option_row(command, help.letter, "", 0) == NULL)
			print_forms(stream, &help, word);
	}
	print_completion_end(stream, "none", 0);
}

static void complete_argument(FILE *stream, const struct command *command, const char *word, bool is_first)
{
	bool is_listed = is_first && command->list_words != NULL;
	const char *colon = is_listed ? strchr(word, ':') : NULL;

	if (is_listed && colon == NULL)
		command->list_words(print_candidate, stream);
	print_completion_end(stream, (is_listed && colon == NULL) || command->synopsis[0] == '\0' ? "none" : "files",
	                     colon != NULL ? (size_t)(colon + 1 - word) : 0);
}

static void complete_command(FILE *stream, const char *word)
{
	if (word[0] == '-') {
		print_candidate(stream, "-h", "list the commands");
		print_candidate(stream, "--help", "list the commands");
		print_candidate(stream, "--version", "print the version");
	} else
		command_help.list_words(print_candidate, stream);
	print_completion_end(stream, "none", 0);
}

void command_complete(FILE *stream, const struct command *const *commands, int count, char *const *words)
{
	const char *word = count > 0 ? words[count - 1] : "";
	const struct command *command;
	const struct command_option *row = NULL; /* the option whose value is the next word */
	bool are_options_over = false, is_first = true;
	struct error error;

	if (count < 2) {
		complete_command(stream, word);
		return;
	}
	if (command_find(commands, words[0], &command, &error) != STATUS_OK) {
		print_completion_end(stream, "none", 0);
		return;
	}
	for (int i = 1; i < count - 1; i++) {
		const char *value = NULL;

		if (row != NULL)
			row = NULL;
		else if (are_options_over || words[i][0] != '-' || words[i][1] == '\0')
			is_first = false;
		else if (strcmp(words[i], "--") == 0)
			are_options_over = true;
		else
			row = find_option(command, words[i], &value);
		if (row != NULL && (value != NULL || !takes_word(row)))
			row = NULL;
	}
	if (row != NULL)
		complete_value(stream, row, word, 0);
	else if (word[0] == '-' && !are_options_over)
		complete_option(stream, command, word);
	else
		complete_argument(stream, command, word, is_first);
}
