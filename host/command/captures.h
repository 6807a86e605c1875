/* SPDX-License-Identifier: MIT */
/* Opening of a firmware and its captures, shared by commands. Private to command/. */
#ifndef COMMAND_CAPTURES_H
#define COMMAND_CAPTURES_H

#include "capture/gmon/gmon.h"
#include "command/options.h"
#include "command/report_filters.h"
#include "profile/analysis.h"
#include "profile/profile.h"

/* Options that select captures and parts of them. */
struct capture_options {
	const char *output;           /* output file, which must not be an input; NULL: none */
	bool force;                   /* accept captures of another build */
	const char *context;          /* name or number of the context to select; NULL: all */
	const char *core;             /* number of the core to select; NULL: all */
	bool static_calls;            /* add calls found in the code */
	enum gmon_format file_format; /* format of gmon.out files without a magic */
	const char *errors;           /* "on" or "off": errors of total times; NULL: the default, total_errors */
	bool total_errors;
	bool through_interrupts;        /* stacks of interrupts continue in the interrupted code */
	uint32_t cycle_max;             /* maximum size of a cycle; 0: unlimited */
	struct report_filters *filters; /* NULL: no filters */
};

/* Tables of options that set a struct capture_options; each command chooses some. */
extern const struct command_option selection_options[], file_format_options[], cycle_options[], error_options[];

/* Whether to estimate errors of total times. */
bool command_wants_total_errors(const struct capture_options *options);

/* A profile with everything it refers to; all zero before command_open_profile(). */
struct opened_profile {
	struct image *image;
	struct capture **captures;
	size_t capture_count;
	struct analysis_options analysis;
	struct profile *profile;
};

/* Opens the firmware and the selected parts of the captures. Closed by command_close_profile(), even on failure. */
enum status command_open_captures(const char *firmware, char *const *captures, size_t capture_count,
                                  const struct capture_options *options, struct opened_profile *opened,
                                  struct error *error);

/* Opens the firmware and the captures and runs the analysis. Closed by command_close_profile(), even on failure. */
enum status command_open_profile(const char *firmware, char *const *captures, size_t capture_count,
                                 const struct capture_options *options, struct opened_profile *opened,
                                 struct error *error);
void command_close_profile(struct opened_profile *opened);

/* Closes image, which may be NULL. Prints a note if line information was needed but unreadable. */
void command_close_image(struct image *image);

/* Fails if standard input is named more than once, or if output would overwrite an input. output is "-" or NULL if it
 * is not a file; firmware may be NULL. */
enum status command_check_inputs(const char *firmware, char *const *runs, size_t run_count, const char *output,
                                 struct error *error);

/* The kind of a file, by its first bytes. */
enum command_run_kind { RUN_CAPTURE, RUN_GMON };
enum command_run_kind command_run_kind(const uint8_t *bytes, size_t size, enum gmon_format format);

/* Opens a capture or a gmon.out. A gmon.out without a magic is accepted only if format names its format. order is the
 * firmware's byte order; if it is NULL (unknown), every gmon.out is refused. */
enum status command_open_run(const char *path, const struct capture_order *order, enum gmon_format format,
                             struct capture **capture, struct error *error);
/* Like command_open_run(), from memory. */
enum status command_decode_run(const char *path, const uint8_t *bytes, size_t size, const struct capture_order *order,
                               enum gmon_format format, struct capture **capture, struct error *error);

/* Whether any of the captures was recorded with contexts. */
bool command_has_contexts(const struct opened_profile *opened);

/* Fails; the message says that the captures have no contexts, and how to record them. */
enum status command_no_contexts(const struct opened_profile *opened, struct error *error);

#endif
