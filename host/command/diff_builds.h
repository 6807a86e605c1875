/* SPDX-License-Identifier: MIT */
/* The builds to compare, named on the command line or found in a baseline. Private to command/. */
#ifndef COMMAND_DIFF_BUILDS_H
#define COMMAND_DIFF_BUILDS_H

#include "command/captures.h"
#include "command/diff_options.h"
#include "diff/compare.h"

/* One operand of the command line. All zero: none. */
struct diff_operand {
	char *firmware;
	char **runs;
	size_t run_count;
};

struct diff_builds {
	struct diff_operand operands[BUILD_COUNT];
	struct opened_profile opened[BUILD_COUNT]; /* without profiles */
	bool is_first;                             /* no build to compare with yet: only the new build was opened */
};

/* Opens the one or two builds named on the command line, and adds them to the inputs of options. Closed by
 * diff_builds_close(), even after a failure. */
enum status diff_builds_open(struct diff_options *options, char *const *words, size_t count, struct diff_builds *builds,
                             struct error *error);
void diff_builds_close(struct diff_builds *builds);

#endif
