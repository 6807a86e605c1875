/* SPDX-License-Identifier: MIT */
/* Successive tables of the profile, for logs and pipes. */
#ifndef TOP_BATCH_H
#define TOP_BATCH_H

#include "top/rows.h"

#include <stdint.h>

struct top_options {
	struct feed_options feed;
	struct demangle_style style;
	struct top_view view; /* the initial one */
	bool colour;
	/* For top_batch() only: */
	uint32_t count; /* tables to print; 0: until a signal */
	uint32_t limit; /* rows of a table, in addition to the recorder's; 0: all */
};

/* Prints tables to stream until options->count are printed, a signal arrives or the reader of standard output is gone;
 * each counts as success. Notes go to standard error. Fails if the first capture fails, or if the target was left
 * changed. */
enum status top_batch(struct top_options *options, FILE *stream, struct error *error);

/* Prints the header, the headings and the first rows of the shown picture. */
enum status top_print_table(struct top_model *model, const struct top_view *view, uint32_t limit, uint64_t now,
                            FILE *stream, struct error *error);

#endif
