/* SPDX-License-Identifier: MIT */
/* The output of GNU gprof, byte for byte (docs/GPROF.md): a profile from gmon.out in GNU's or BSD's layout. One file
 * per part. */
#ifndef REPORT_GPROF_GPROF_H
#define REPORT_GPROF_GPROF_H

#include "base/file/inputs.h"
#include "base/text/demangle.h"
#include "capture/gmon/gmon.h"
#include "profile/profile.h"

#include <stdbool.h>
#include <stdio.h>

struct output_gprof_options {
	/* The parts to print, in this order; with traditional, the call graph comes first. */
	bool flat, graph, counts, source, function_order;
	bool is_continued; /* something else was printed before: a part is set off from it */
	bool brief;        /* without explaining the columns */
	bool traditional;  /* BSD's layout */
	bool show_unused;  /* functions without time and calls, too */
	bool by_line;      /* the profile is one of lines */
	bool full_paths;   /* of source files */
	bool inline_file_names;
	bool all_lines;             /* of annotated source bear their count, not those that begin something only */
	bool separate_files;        /* annotated source goes to FILE-ann */
	struct file_inputs *inputs; /* files that were read, sources included: no FILE-ann overwrites them */
	unsigned min_count;         /* of a line of annotated source; lines below it are marked instead */
	unsigned table_length;      /* of the lines with most executions, for each source file */
	const char
	        *source_folders; /* where source is looked for, divided by colons; NULL: where it was compiled only */
	FILE *notes;             /* receives messages about sources that are missing or replaced */
	bool demangle;
	struct demangle_style style;
	const char *file_map; /* lines FILE:ADDRESS TYPE FUNCTION, to print an order of files; NULL: none asked for */
	size_t file_map_size;
	unsigned index_width; /* of the index, in characters */
};

/* The profile must come from the gmon at hand. */
enum status output_gprof(const struct profile *profile, const struct gmon *gmon,
                         const struct output_gprof_options *options, FILE *stream, struct error *error);

#endif
