/* SPDX-License-Identifier: MIT */
/* The options of `bareprof gprof`: GNU's, and BSD's where they differ (docs/GPROF.md). Private to command/gprof*.c. */
#ifndef COMMAND_GPROF_OPTIONS_H
#define COMMAND_GPROF_OPTIONS_H

#include "capture/gmon/gmon.h"
#include "command/command.h"
#include "firmware/image.h"
#include "profile/filters.h"
#include "report/gprof/gprof.h"

/* What is printed or written. */
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
	struct output_gprof_options output; /* but for the parts */
	char *source_folders;               /* of it, owned here */
	unsigned parts;                     /* asked for */
	unsigned parts_named;               /* asked for, or asked not to be */
	struct filters *filters;            /* owned here */
	struct image_division division;
	enum gmon_format format;
	bool static_calls;
	unsigned cycle_max;       /* 0: no cycle is broken */
	const char *file_map;     /* of --file-ordering */
	bool is_help, is_version; /* and nothing else */
	const char *lone_caller;  /* FROM of -k FROM TO where TO is a file's name, so that it may be the image's; NULL:
	                             none */
	const char *image;
	char *const *data;
	size_t data_count;
};

/* Options of argv, and what is no option: the image and the data, GNU's names by default. *options is freed by
 * gprof_free_options(), also after a failure. */
enum status gprof_parse_options(const struct command *command, int argc, char **argv, struct gprof_options *options,
                                struct error *error);
void gprof_free_options(struct gprof_options *options);

/* Fails for a lone_caller: what was taken for TO was the image. */
enum status gprof_refuse_lone_caller(const struct gprof_options *options, struct error *error);

/* A line for each option. */
void gprof_print_options(void);

#endif
