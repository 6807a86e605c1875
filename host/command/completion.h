/* SPDX-License-Identifier: MIT */
/* Completion scripts for shells, generated from the tables of commands and options: one file per shell, one row each in
 * completion.c. Private to command/completion*.c. */
#ifndef COMMAND_COMPLETION_H
#define COMMAND_COMPLETION_H

#include "command/options.h"

#include <stdio.h>

struct completion_shell {
	const char *name;
	const char *summary; /* how to use the script */
	/* Writes a script that does not run the tool. Text of the tables may contain any character. */
	void (*write)(FILE *stream, const struct command *const *commands);
};

extern const struct completion_shell completion_bash;
extern const struct completion_shell completion_fish;
extern const struct completion_shell completion_zsh;

/* The shell with this name, or NULL. */
const struct completion_shell *completion_find_shell(const char *name);

/* The kind of an option's value. */
enum completion_value {
	COMPLETION_NO_VALUE,
	COMPLETION_CHOICE,
	COMPLETION_FILE,
	COMPLETION_FOLDER,
	COMPLETION_OTHER, /* nothing is offered */
};
enum completion_value completion_value_of(const struct command_option *row);

/* True if the option takes the next word as its value when none is attached. */
bool completion_takes_word(const struct command_option *row);

/* Calls found() for each option of a command, and for --help. */
typedef void (*completion_option_found)(FILE *stream, const struct command *command, const struct command_option *row);
void completion_each_option(FILE *stream, const struct command *command, completion_option_found found);

/* For completion_each_option(): writes the forms of an option that takes the next word, a blank before each. */
void completion_write_valued(FILE *stream, const struct command *command, const struct command_option *row);

/* Writes text for single quotes, which the caller writes: a backslash goes before each character of special, and
 * control characters become blanks. */
void completion_write_text(FILE *stream, const char *text, const char *special);
/* The same for a word that the shell expands again after it has removed the quotes. */
void completion_write_word(FILE *stream, const char *word, const char *special);

#endif
