/* SPDX-License-Identifier: MIT */
/* What report, export and others begin with: a firmware and its captures, analysed. Private to command/. */
#ifndef COMMAND_CAPTURES_H
#define COMMAND_CAPTURES_H

#include "capture/gmon/gmon.h"
#include "command/command.h"
#include "command/report_filters.h"
#include "profile/analysis/analysis.h"
#include "profile/profile.h"

/* Which captures, and what of them. */
struct capture_options {
	const char *output;           /* where what follows from them goes, if to a file; NULL: it does not */
	bool force;                   /* of another build, too */
	const char *context;          /* name or number of the only context wanted; NULL: all */
	const char *core;             /* number of the only core wanted; NULL: all */
	bool static_calls;            /* the calls of the instructions count, too */
	enum gmon_format file_format; /* of gmon.out that does not say what it is */
	const char *errors;           /* "on" or "off": of total times; NULL: as total_errors says */
	bool total_errors;
	uint32_t cycle_max;             /* members that a cycle may have; 0: any number */
	struct report_filters *filters; /* NULL: everything is wanted */
};

/* Their long options, for getopt_long(), and their help. */
enum { OPTION_CONTEXT = 512, OPTION_CORE, OPTION_FILE_FORMAT, OPTION_ERRORS, OPTION_BREAK_CYCLES };
#define CAPTURE_LONG_OPTIONS                                                                                  \
	{"context", required_argument, NULL, OPTION_CONTEXT}, {"core", required_argument, NULL, OPTION_CORE}, \
	        {"file-format", required_argument, NULL, OPTION_FILE_FORMAT},                                 \
	{                                                                                                     \
		"force", no_argument, NULL, 'f'                                                               \
	}
#define CAPTURE_HELP                                                           \
	"      --context=WHICH  of this context only, by its name or number\n" \
	"      --core=N         of this core only\n"                           \
	"  -f, --force          take captures of another build, too\n" FILE_FORMAT_HELP
/* Of these, those of what follows from calls. */
#define CALL_LONG_OPTIONS                                                    \
	{"errors", required_argument, NULL, OPTION_ERRORS},                  \
	{                                                                    \
		"break-cycles", required_argument, NULL, OPTION_BREAK_CYCLES \
	}
#define CALL_HELP \
	"      --break-cycles=N leave out calls, few in all, so that no cycle has more than N functions\n" ERRORS_HELP
#define FILE_FORMAT_HELP "      --file-format=F  of a gmon.out without a magic: bsd or 4.4bsd\n"
#define ERRORS_HELP      "      --errors=off     do not estimate the errors of total times\n"

/* Takes the option that getopt_long() answered if it is one of them: then *is_taken. A wrong value is a usage error. */
enum status command_take_capture_option(const struct command *command, int option, struct capture_options *options,
                                        bool *is_taken, struct error *error);

/* Whether errors of total times are to be estimated. */
bool command_wants_total_errors(const struct capture_options *options);

/* Everything that a profile stands on; all zero before command_open_profile(). */
struct opened_profile {
	struct image *image;
	struct capture **captures;
	size_t capture_count;
	struct analysis_options analysis;
	struct profile *profile;
};

/* Opens the firmware and the captures, and leaves of these what is wanted. Closed by command_close_profile(), also on
 * failure. */
enum status command_open_captures(const char *firmware, char *const *captures, size_t capture_count,
                                  const struct capture_options *options, struct opened_profile *opened,
                                  struct error *error);

/* Opens the firmware and the captures and runs the analysis. Closed by command_close_profile(), also on failure. */
enum status command_open_profile(const char *firmware, char *const *captures, size_t capture_count,
                                 const struct capture_options *options, struct opened_profile *opened,
                                 struct error *error);
void command_close_profile(struct opened_profile *opened);

/* Closes image, which may be NULL. Prints a note if line information was wanted and could not be read. */
void command_close_image(struct image *image);

/* Fails if standard input is named more than once, or if output ("-", NULL: no file) would be written over one of the
 * others. firmware may be NULL. */
enum status command_check_inputs(const char *firmware, char *const *runs, size_t run_count, const char *output,
                                 struct error *error);

/* What a file is, by its first bytes. */
enum command_run_kind { RUN_CAPTURE, RUN_GMON };
enum command_run_kind command_run_kind(const uint8_t *bytes, size_t size, enum gmon_format format);

/* The format that --file-format names; GMON_AUTO for NULL. Another name is a usage error. */
enum status command_parse_file_format(const struct command *command, const char *text, enum gmon_format *format,
                                      struct error *error);

/*
 * Opens a capture, or a gmon.out as one. Of the latter those without a magic are taken only where format names theirs;
 * order is the firmware's, NULL = not known, which refuses them.
 */
enum status command_open_run(const char *path, const struct capture_order *order, enum gmon_format format,
                             struct capture **capture, struct error *error);
/* The same from memory. */
enum status command_decode_run(const char *path, const uint8_t *bytes, size_t size, const struct capture_order *order,
                               enum gmon_format format, struct capture **capture, struct error *error);

/* True if any of them was recorded with contexts. */
bool command_has_contexts(const struct opened_profile *opened);

/* Fills *error: they have no contexts, and what to do about it. */
enum status command_no_contexts(const struct opened_profile *opened, struct error *error);

#endif
