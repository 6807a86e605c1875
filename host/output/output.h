/* SPDX-License-Identifier: MIT */
/*
 * What a profile is printed as: one file per format, one line each in output.c's table. Every writer takes a finished
 * profile and a stream, and leaves errors of the stream to the stream's owner. Knows nothing of commands.
 */
#ifndef OUTPUT_OUTPUT_H
#define OUTPUT_OUTPUT_H

#include "model/profile.h"

#include <stdbool.h>
#include <stdio.h>

struct output_format {
	const char *name;    /* as in `bareprof export NAME` */
	const char *summary; /* one line for --help */
	bool binary;         /* not for a terminal */
	bool total_errors;   /* shows errors of total times */
	bool by_context;     /* shows contexts: the profile is to be split by them, if there are any */
	enum status (*write)(const struct profile *profile, FILE *stream, struct error *error);
};

extern const struct output_format output_gmon;
extern const struct output_format output_json;

/* The formats of `bareprof export`, ended by NULL. */
extern const struct output_format *const output_table[];

struct output_report_options {
	bool colour;
	bool flat;  /* print the flat profile */
	bool graph; /* print the call graph */
	/* What of the captures the profile was restricted to, as it was asked for; NULL: all contexts, all cores. */
	const char *context, *core;
	bool by_core; /* the parts of the profile are cores; else contexts */
};

/* The report for people: header, flat profile, call graph, losses (always). */
enum status output_report(const struct profile *profile, const struct output_report_options *options, FILE *stream,
                          struct error *error);

#endif
