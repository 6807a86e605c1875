/* SPDX-License-Identifier: MIT */
/*
 * The commands of the tool. One file per command, one line in command.c's table. A command joins the stages; no stage
 * knows a command.
 */
#ifndef COMMAND_COMMAND_H
#define COMMAND_COMMAND_H

#include "base/status.h"

struct command {
	const char *name;
	const char *synopsis;          /* what follows the name, for --help */
	const char *summary;           /* one line */
	void (*print_arguments)(void); /* what --help prints in front of help; NULL: nothing */
	const char *help;              /* the options, a line each, and an example; ends with a newline */
	void (*print_options)(void);   /* what --help prints behind help; NULL: nothing */
	/* argv[0] is the command's name. Results go to standard output; a failure fills *error. */
	enum status (*run)(int argc, char **argv, struct error *error);
};

extern const struct command command_pull;
extern const struct command command_sample;
extern const struct command command_devices;
extern const struct command command_report;
extern const struct command command_annotate;
extern const struct command command_diff;
extern const struct command command_info;
extern const struct command command_export;
extern const struct command command_gprof;
extern const struct command command_merge;

/* All commands in the order of --help, ended by NULL. */
extern const struct command *const command_table[];

/* Prints the version, and which libraries this build lacks, as for --version. */
void command_print_version(void);

/* Prints the usage, summary and help of a command, as for --help. */
void command_print_help(const struct command *command);

struct option;

/*
 * For a getopt_long, its letters beginning with a colon, that answered '?' or ':': fills *error, naming the option that
 * is unknown or lacks its value, and returns STATUS_USAGE.
 */
enum status command_bad_option(const struct command *command, int answer, const struct option *options,
                               char *const *argv, struct error *error);

/* For an output that is no text: where path is standard output and that is a terminal, as command_usage(). */
enum status command_check_binary_output(const struct command *command, const char *path, const char *what,
                                        struct error *error);

/* For an output that is a capture: that path is given, and command_check_binary_output(). */
enum status command_check_capture(const struct command *command, const char *path, struct error *error);

/* For a command line that is no use: fills *error, adds the synopsis, and returns STATUS_USAGE. */
enum status command_usage(const struct command *command, struct error *error, const char *format, ...)
        __attribute__((format(printf, 3, 4)));

#endif
