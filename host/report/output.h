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

/* The split that a format needs, if its captures have contexts or cores. */
enum output_split { OUTPUT_WHOLE, OUTPUT_BY_CONTEXT, OUTPUT_BY_CORE_AND_CONTEXT };

struct output_format {
	const char *name;    /* as in `bareprof export NAME` */
	const char *summary; /* one line for --help */
	bool binary;         /* not printable on a terminal */
	bool total_times;    /* contains total times, and cycles */
	bool total_errors;   /* contains the errors of total times */
	bool static_calls;   /* distinguishes calls found in the code from recorded ones */
	bool lines;          /* contains source lines, so the profile, or each of its parts, must have them */
	bool call_sites;     /* contains call sites, so the profile, or each of its parts, must have them */
	enum output_split split;
	enum status (*write)(const struct profile *profile, FILE *stream, struct error *error);
};

/* Adds a capture to *gmon as output_gmon writes it. */
enum status output_add_to_gmon(const struct image *image, const struct capture *capture, struct gmon *gmon,
                               struct error *error);

/* The formats of `bareprof export`, NULL-terminated. */
extern const struct output_format *const output_table[];

/* A replacement of the beginning of source names, for sources that were moved. */
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

struct output_report_options {
	bool colour;
	const char *const *hints; /* by enum hint: advice for the user */
	bool flat;                /* print the flat profile */
	bool graph;               /* print the call graph */
	bool lines;               /* the flat profile has one row per source line; the profile must have lines */
	bool inlines; /* inlined functions have rows of their own in the flat profile; the profile must have lines */
	bool static_calls; /* the profile contains calls found in the code */
	struct demangle_style demangle;
	/* The selection that the captures were restricted to, as the user wrote it; NULL: all contexts, all cores. */
	const char *context, *core;
	const char *filters;      /* the filter options as the user wrote them; NULL: none */
	const char *idle_arcs;    /* the filter options whose arcs do not exist; NULL: none */
	bool regions;             /* print the regions of memory even if there is only one */
	bool by_context, by_core; /* instead of the whole profile, print these parts, by which it must be split */
	uint32_t top;             /* show only this number of functions, most self time first; 0: all */
	double min_part;          /* hide functions with less than this part of the time */
	bool without_recorder;    /* the 100 % is the time outside the recorder */
	bool without_source;      /* leave source and instructions out of the page */
	/* For the page, and annotated source. */
	const char *objdump; /* the program that disassembles; NULL: one for the firmware's ISA */
	struct output_source_paths paths;
};

struct output_annotate_options {
	struct output_report_options report; /* with lines; top is the length of the table of the hottest lines */
	const char *function; /* show only code of this function, also where it was inlined; NULL: of all functions */
	const char *file;     /* show only files with this name, which may lack folders; NULL: all files */
	bool all;             /* also print ranges of lines with little time */
	bool disassemble;     /* also print instructions; the profile must have sampled ranges */
};

/* Prints annotated source with times and calls; the profile must have lines. Sources that are not found are reported
 * and shown without text. */
enum status output_annotate(const struct profile *profile, const struct output_annotate_options *options, FILE *stream,
                            struct error *error);

/* The report for people: header, flat profile, call graph, losses (always). */
enum status output_report(const struct profile *profile, const struct output_report_options *options, FILE *stream,
                          struct error *error);

/* The page for browsers, with all parts of the profile; the profile must have lines and sampled ranges, unless source
 * is left out. Without JavaScript it shows the header of the report, and a flat profile. */
enum status output_html(const struct profile *profile, const struct output_report_options *options, FILE *stream,
                        struct error *error);

#endif
