/* SPDX-License-Identifier: MIT */
/* The options of `bareprof gprof`: GNU's, and BSD's where they differ (docs/GPROF.md). Private to command/gprof*.c. */
#ifndef COMMAND_GPROF_OPTIONS_H
#define COMMAND_GPROF_OPTIONS_H

#include "capture/gmon/gmon.h"
#include "command/options.h"
#include "firmware/image.h"
#include "profile/filters.h"
#include "report/gprof/gprof.h"

/* The parts of the output. */
enum gprof_part {
	GPROF_FLAT = 1 << 0,
	GPROF_GRAPH = 1 << 1,
	GPROF_COUNTS = 1 << 2,
	GPROF_SOURCE = 1 << 3,
	GPROF_FUNCTION_ORDER = 1 << 4,
	GPROF_FILE_ORDER = 1 << 5,
	GPROF_SUM = 1 << 6,
	GPROF_FILE_INFO = 1 << 7,
};

struct gprof_options {
	const struct command *command;      /* for messages */
	struct output_gprof_options output; /* without the parts */
	char *source_folders;               /* folders for output.source_folders, owned here */
	unsigned parts;                     /* requested */
	unsigned parts_named;               /* requested or excluded */
	struct filters *filters;            /* owned here */
	struct image_division division;
	enum gmon_format format;
	bool static_calls;
	unsigned cycle_max;       /* 0: break no cycles */
	const char *file_map;     /* argument of --file-ordering */
	bool is_help, is_version; /* exclusive */
	const char *lone_caller; /* FROM of -k FROM TO if TO is an existing file, and so may be the image; NULL: none */
	const char *image;

	char *const *data;
	size_t data_count;
};

/* Parses options and the names of image and data; GNU gprof's names are the defaults. *options is freed by
 * gprof_free_options(), even after a failure. */
enum status gprof_parse_options(const struct command *command, int argc, char **argv, struct gprof_options *options,
                                struct error *error);
void gprof_free_options(struct gprof_options *options);

/* Fails for a lone_caller, after TO turned out to be the image. */
enum status gprof_refuse_lone_caller(const struct gprof_options *options, struct error *error);

/* The options, which set a struct gprof_options. */
extern const struct command_option gprof_options[];

#endif
