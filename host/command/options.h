/* SPDX-License-Identifier: MIT */
/* The options of a command as tables, from which parsing and help are generated. Private to command/. */
#ifndef COMMAND_OPTIONS_H
#define COMMAND_OPTIONS_H

#include "command/command.h"

#include <stdbool.h>
#include <stddef.h>

struct given_option;

/* One option. A row without letter and name ends a table; its help, if any, is a heading for the next one. */
struct command_option {
	char letter;       /* '\0': none */
	const char *name;  /* NULL: no long form */
	const char *value; /* name of its value in the help, in brackets if it may be omitted; NULL: no value */
	const char *help;  /* may have several lines */
	/* For completion and messages: the values it accepts, ended by NULL. NULL: not a fixed list. Values called
	 * FILE, FW.elf, MAP, DIR and FOLDERS are completed as paths. */
	const char *const *choices;
	enum status (*take)(const struct given_option *given, struct error *error);
	size_t member;      /* for take: an offset in the target */
	const void *detail; /* for take: anything else */
};

/* Rows that set members of one structure. All zero: the end of a command's tables. */
struct option_table {
	const struct command_option *rows;
	size_t member; /* offset of that structure in the structure that the command's options are parsed into */
};

/* An option of the command line. */
struct given_option {
	const struct command *command;
	const struct command_option *row;
	void *target;      /* the structure that the rows of its table set */
	const char *value; /* NULL: none */
	int argc;          /* the whole command line; getopt's optind is the next word */

	char *const *argv;
};

/* Parses the options of a command into *parsed, which the offsets in its tables refer to. Sets optind to the index of
 * the first word that is not an option. */
enum status command_parse_options(const struct command *command, int argc, char **argv, void *parsed,
                                  struct error *error);

/* An error in the combination of options, and its message. */
struct option_conflict {
	bool is_present;
	const char *message;
};

/* The message of the first conflict that is present; NULL: none. */
const char *option_first_conflict(const struct option_conflict *conflicts, size_t count);

/* A usage error: the value is not what was expected. */
enum status option_refuse(const struct given_option *given, const char *value, const char *expected,
                          struct error *error);

/* Like option_refuse(), for a row with choices, which are the expected values. */
enum status option_refuse_choice(const struct given_option *given, struct error *error);

/* Finds the value among the choices of the row; an unknown one is a usage error. */
enum status option_find_choice(const struct given_option *given, size_t *index, struct error *error);

/* The member that a row sets. */
void *option_member(const struct given_option *given);

/* For take: set a switch (bool), set a text (const char *), do nothing. */
enum status option_take_switch(const struct given_option *given, struct error *error);
enum status option_take_text(const struct given_option *given, struct error *error);
enum status option_take_nothing(const struct given_option *given, struct error *error);
/* True for the row that ends a table. */
bool option_is_end(const struct command_option *row);

/* The styles of --demangle, as choices. */
extern const char *const style_choices[];
/* --demangle and --no-demangle, which set a struct demangle_style. */
extern const struct command_option style_options[];
/* --color, which sets a bool. */
extern const struct command_option colour_options[];

/* Whether colours are the default: standard output is a terminal with colours and NO_COLOR is unset. */
bool option_default_colour(void);

#endif
