/* SPDX-License-Identifier: MIT */
/* Output formats of a profile: one file per format, one row each in output.c. A writer takes a finished profile and
 * a stream; the owner of the stream checks it for errors. */
#ifndef REPORT_OUTPUT_H
#define REPORT_OUTPUT_H

#include "base/text/demangle.h"
#include "capture/gmon/gmon.h"
#include "profile/profile.h"

#include <stdbool.h>
#include <stdio.h>

struct output_format {
	const char *name;    /* as in `bareprof export NAME` */
	const char *summary; /* one line for --help */
	bool binary;         /* not for a terminal */
	bool total_times;    /* shows total times, with their errors, and cycles */
	bool by_context;     /* shows contexts: the profile is to be split by them, if there are any */
	enum status (*write)(const struct profile *profile, FILE *stream, struct error *error);
};

extern const struct output_format output_gmon;
extern const struct output_format output_json;

/* Adds to *gmon what output_gmon writes of a capture. */
enum status output_add_to_gmon(const struct image *image, const struct capture *capture, struct gmon *gmon,
                               struct error *error);

/* The formats of `bareprof export`, ended by NULL. */
extern const struct output_format *const output_table[];

struct output_report_options {
	bool colour;
	const char *const *hints; /* by enum hint, what a user can do next */
	bool flat;                /* print the flat profile */
	bool graph;               /* print the call graph */
	bool lines;               /* the flat profile is one of source lines; the profile has them */
	bool inlines;      /* in the flat profile, inlined functions have rows of their own; the profile has lines */
	bool static_calls; /* the profile has the calls of the instructions */
	struct demangle_style demangle;
	/* The selection that the captures were restricted to, as given by the user; NULL: all contexts, all cores. */
	const char *context, *core;
	const char *filters;   /* the options that leave out functions or arcs, as they were given; NULL: none */
	const char *idle_arcs; /* those of them that name arcs which were not there; NULL: none */
	bool by_core;          /* the parts of the profile are cores; else contexts */
	size_t top;            /* how many functions are shown, those with the most self time; 0: all */
	double min_part;       /* functions with less than this part of the time are not shown */
	bool without_recorder; /* the time outside of the recorder is the 100 % */
};

/* Where sources are looked for that are not where DWARF says. */
struct output_source_prefix {
	const char *old; /* beginning of a name */
	size_t old_length;
	const char *new; /* its replacement */
};

struct output_source_paths {
	const struct output_source_prefix *prefixes;
	size_t prefix_count;
	const char *const *folders;
	size_t folder_count;
	const char *compilation_folder; /* searched last; NULL: unknown */
};

struct output_annotate_options {
	bool colour;
	const char *const *hints;
	const char *context, *core; /* as of the report */
	const char *function;       /* only code of this function, wherever it was inlined; NULL: of all */
	const char *file;           /* only lines of files of this name, which may lack folders; NULL: of all */
	size_t top;                 /* rows of the table of the hottest lines */
	struct output_source_paths paths;
};

/* Annotated source with times and calls; the profile must have lines. Sources that are not found are reported and
 * shown without text. */
enum status output_annotate(const struct profile *profile, const struct output_annotate_options *options, FILE *stream,
                            struct error *error);

/* The report for people: header, flat profile, call graph, losses (always). */
enum status output_report(const struct profile *profile, const struct output_report_options *options, FILE *stream,
                          struct error *error);

#endif
