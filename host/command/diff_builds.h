/* SPDX-License-Identifier: MIT */
/* The builds that are compared, as they are named on the command line or found among those that were kept. Private to
 * command/. */
#ifndef COMMAND_DIFF_BUILDS_H
#define COMMAND_DIFF_BUILDS_H

#include "command/captures.h"
#include "command/diff_options.h"
#include "diff/compare.h"

/* What one operand names. All zero: nothing. */
struct diff_operand {
	char *firmware;
	char **runs;
	size_t run_count;
};

struct diff_builds {
	struct diff_operand operands[BUILD_COUNT];
	struct opened_profile opened[BUILD_COUNT]; /* without profiles */
	bool is_first; /* there is nothing yet to compare the new build with: only that was opened */
};

/* Opens the one or two builds that the command line names, which join the inputs of options. Closed by
 * diff_builds_close(), also after a failure. */
enum status diff_builds_open(struct diff_options *options, char *const *words, size_t count, struct diff_builds *builds,
                             struct error *error);
void diff_builds_close(struct diff_builds *builds);

#endif
