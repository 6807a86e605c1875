/* SPDX-License-Identifier: MIT */
/* The commands of the tool: one file per command, one row each in help.c. */
#ifndef COMMAND_COMMAND_H
#define COMMAND_COMMAND_H

#include "base/status.h"

#include <stdio.h>

struct command_option;
struct command;

/* Receives a word that the first argument of a command may be. A word that ends in ':' is followed by the name of a
 * file. */
typedef void (*command_word_found)(void *context, const char *word, const char *summary);

struct command {
	const char *name;
	const char *synopsis;          /* the arguments, for --help */
	const char *summary;           /* one line */
	void (*print_arguments)(void); /* printed by --help before help; NULL: nothing */
	/* Calls found() for each word that the first argument may be, for completion. NULL: the argument names a
	 * file. */
	void (*list_words)(command_word_found found, void *context);
	const char *help;                   /* ends with a newline */
	const struct option_table *options; /* ended by an all-zero table */
	int option_columns;                 /* width of the options in --help; 0: the default */
	const char *example;                /* one or more command lines */
	/* argv[0] is the name of the command. Results go to standard output; a failure fills *error. */
	enum status (*run)(int argc, char **argv, struct error *error);
};

extern const struct command command_pull;
extern const struct command command_sample;
extern const struct command command_top;
extern const struct command command_devices;
extern const struct command command_report;
extern const struct command command_annotate;
extern const struct command command_diff;
extern const struct command command_info;
extern const struct command command_export;
extern const struct command command_gprof;
extern const struct command command_merge;
extern const struct command command_completion;
extern const struct command command_help;
extern const struct command command_push;
extern const struct command command_unwind_table;

/* All commands in the order of --help, NULL-terminated. */
extern const struct command *const command_table[];

/* Prints the version and the optional libraries that this build lacks, for --version. */
void command_print_version(void);

/* Prints the list of commands, for --help. */
void command_print_all(void);

/* Lists the completions of the last word of a command line; docs/HACKING.md describes the format. words follow the name
 * of the tool; count 0 means one empty word. */
void command_complete(FILE *stream, const struct command *const *commands, int count, char *const *words);

/* Finds a command by name; an unknown one is a usage error. */
enum status command_find(const struct command *const *commands, const char *name, const struct command **command,
                         struct error *error);

/* Prints usage, summary and help of a command, for --help. */
void command_print_help(const struct command *command);

/* For binary output: fails like command_usage() if path is standard output and standard output is a terminal. */
enum status command_check_binary_output(const struct command *command, const char *path, const char *what,
                                        struct error *error);

/* For an output capture: fails if path is NULL or command_check_binary_output() fails. */
enum status command_check_capture(const struct command *command, const char *path, struct error *error);

/* For a wrong command line: fills *error, adds the synopsis, and returns STATUS_USAGE. */
enum status command_usage(const struct command *command, struct error *error, const char *format, ...)
        __attribute__((format(printf, 3, 4)));

#endif
