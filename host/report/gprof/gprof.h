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
	bool is_continued; /* something was printed before, so a separator comes first */
	bool brief;        /* omit the explanations of the columns */
	bool traditional;  /* BSD's layout */
	bool show_unused;  /* also functions without time and calls */
	bool by_line;      /* the nodes of the profile are lines */
	bool full_paths;   /* print full paths of source files */
	bool inline_file_names;
	bool all_lines;             /* annotate every line with its count, not only those where a block begins */
	bool separate_files;        /* annotated source goes to FILE-ann */
	struct file_inputs *inputs; /* all input files, including sources; FILE-ann must not overwrite them */
	unsigned min_count;         /* the lowest count printed; lower ones get a mark instead */
	unsigned table_length;      /* length of the table of the most executed lines of each source file */
	const char *source_folders; /* folders to search for sources, separated by colons; NULL: only where they were
	                               compiled */
	FILE *notes;                /* receives notes about missing or replaced sources */
	bool demangle;
	struct demangle_style style;
	const char *file_map; /* lines FILE:ADDRESS TYPE FUNCTION for an order of files; NULL: not requested */
	size_t file_map_size;
	const char *file_map_path; /* for messages */
	unsigned index_width;      /* width of the index, in characters */
};

/* profile must be made from gmon. */
enum status output_gprof(const struct profile *profile, const struct gmon *gmon,
                         const struct output_gprof_options *options, FILE *stream, struct error *error);

#endif
