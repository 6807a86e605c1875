/* SPDX-License-Identifier: MIT */
/* Options and quoted text, for all completion scripts. */
#include "command/completion.h"

#include <ctype.h>
#include <string.h>

static bool is_among(const char *word, const char *const *words)
{
	while (*words != NULL && strcmp(*words, word) != 0)
		words++;
	return *words != NULL;
}

enum completion_value completion_value_of(const struct command_option *row)
{
	static const char *const files[] = {"FILE", "FW.elf", "MAP", NULL}, *const folders[] = {"DIR", "FOLDERS", NULL};

	if (row->value == NULL)
		return COMPLETION_NO_VALUE;
	if (row->choices != NULL)
		return COMPLETION_CHOICE;
	if (is_among(row->value, files))
		return COMPLETION_FILE;
	return is_among(row->value, folders) ? COMPLETION_FOLDER : COMPLETION_OTHER;
}

bool completion_takes_word(const struct command_option *row)
{
	return row->value != NULL && row->value[0] != '[';
}

void completion_each_option(FILE *stream, const struct command *command, completion_option_found found)
{
	static const struct command_option help = {
	        .letter = 'h', .name = "help", .help = "show the options of the command"};
	bool has_help = false;

	for (const struct option_table *table = command->options; table->rows != NULL; table++)
		for (const struct command_option *row = table->rows; !option_is_end(row); row++) {
			found(stream, command, row);
			has_help |= row->letter == help.letter;
		}
	if (!has_help)
		found(stream, command, &help);
}

void completion_write_valued(FILE *stream, const struct command *command, const struct command_option *row)
{
	(void)command;
	if (!completion_takes_word(row))
		return;
	if (row->letter != '\0')
		fprintf(stream, " -%c", row->letter);
	if (row->name != NULL)
		fprintf(stream, " --%s", row->name);
}

static void write_character(FILE *stream, char character, const char *special)
{
	if (character == '\'') {
		fputs("'\\''", stream);
		return;
	}
	if (strchr(special, character) != NULL)
		fputc('\\', stream);
	fputc(iscntrl((unsigned char)character) ? ' ' : character, stream);
}

void completion_write_text(FILE *stream, const char *text, const char *special)
{
	for (; *text != '\0'; text++)
		write_character(stream, *text, special);
}

/* Bytes above ASCII are parts of characters, so no backslash goes between them. */
static bool is_plain(char character)
{
	return isalnum((unsigned char)character) || strchr("-._:", character) != NULL || (character & 0x80) != 0;
}

void completion_write_word(FILE *stream, const char *word, const char *special)
{
	for (; *word != '\0'; word++) {
		if (!is_plain(*word))
			write_character(stream, '\\', special);
		write_character(stream, *word, special);
	}
}
