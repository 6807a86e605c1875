/* SPDX-License-Identifier: MIT */
/* A line on a terminal that tells how far a read is, and is gone afterwards. Private to command/. */
#ifndef COMMAND_PROGRESS_H
#define COMMAND_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct progress {
	FILE *stream; /* NULL: nothing is shown */
	bool is_shown;
	uint64_t done, total;              /* of the read that is under way */
	uint64_t began, begun_with, drawn; /* when it was first told of, with what done; when it was drawn last */
};

/* For standard error, if that is a terminal. */
struct progress progress_begin(void);
/* So many bytes of all are there, at this time in milliseconds. A read that is over at once is not shown. */
void progress_tell(struct progress *progress, uint64_t done, uint64_t total, uint64_t now);
/* Takes the line away. */
void progress_hide(struct progress *progress);

#endif
