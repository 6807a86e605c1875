/* SPDX-License-Identifier: MIT */
/* The first lines of the output: builds, unit of work, warnings. Each format escapes the text. Private to formats/. */
#ifndef DIFF_FORMATS_HEAD_H
#define DIFF_FORMATS_HEAD_H

#include "diff/formats/diff.h"
#include "diff/formats/notes.h"

#define HEAD_LINES_MAX 19

struct head_line {
	const char *label; /* "Old", "Work", "Warning" */
	char *text;
	bool is_warning;
};

struct diff_head {
	struct head_line lines[HEAD_LINES_MAX];
	size_t count;
};

/* Freed by head_free(), also after a failure. */
enum status head_create(const struct comparison *comparison, const struct notes *notes,
                        const struct diff_output_options *options, struct diff_head *head, struct error *error);
void head_free(struct diff_head *head);

#endif
