/* SPDX-License-Identifier: MIT */
/* Source files with the lines at which code begins, and their counts. Private to gprof/. */
#ifndef REPORT_GPROF_SPOTS_H
#define REPORT_GPROF_SPOTS_H

#include "report/gprof/report.h"

/* A line at which functions begin or, in a profile by line, ranges of code. */
struct gprof_spot {
	int line;
	bool is_function;                 /* the first range of the line begins a function */
	uint64_t address;                 /* start of its code; 0: it has several ranges */
	uint64_t calls;                   /* calls of the functions */
	const struct gprof_block *blocks; /* blocks of the first range */
	size_t block_count;
};

struct gprof_file {
	const char *folder, *name; /* name is relative to folder, which may be "" */
	size_t order;              /* order of its first symbol */
	uint64_t calls;
	struct gprof_spot *spots; /* by line */
	size_t spot_count;
};

struct gprof_files {
	struct gprof_file *items; /* files with calls, the file whose symbols come last in the ELF first */
	size_t count;
	struct gprof_spot *spots; /* storage of the files' spots */
	size_t spot_count;
	struct gprof_blocks blocks;
};

/* *files is freed by gprof_free_files(), also after a failure. */
enum status gprof_collect_files(const struct gprof_report *report, struct gprof_files *files, struct error *error);
void gprof_free_files(struct gprof_files *files);

#endif
