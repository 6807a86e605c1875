/* SPDX-License-Identifier: MIT */
/* A line on a terminal that tells how far a read or a sampling is, or what is waited for, and is gone afterwards.
 * Private to command/. */
#ifndef COMMAND_PROGRESS_H
#define COMMAND_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct progress {
	FILE *stream;     /* NULL: nothing is shown */
	unsigned columns; /* 0: the terminal is asked at each drawing, as it may change */
	bool is_shown;
	bool is_in_line;                   /* somebody else's line is begun: nothing is drawn over it */
	uint64_t done, total;              /* of the read that is under way */
	uint64_t began, begun_with, drawn; /* when it was first told of, with what done; when it was drawn last */
	unsigned waiting;                  /* milliseconds of the wait that is under way, 0 = none */
	bool is_broken;                    /* the connection */
};

/* For standard error, if that is a terminal. */
struct progress progress_begin(void);
/* So many bytes of all are there, at this time in milliseconds. A read that is over at once is not shown. */
void progress_tell(struct progress *progress, uint64_t done, uint64_t total, uint64_t now);
/* A wait of so many milliseconds begins; 0: it is over. */
void progress_wait(struct progress *progress, unsigned milliseconds);
/* Sampling goes on for so many milliseconds, and made so many reads, at this time in milliseconds. */
void progress_sample(struct progress *progress, uint64_t left, uint64_t reads, uint64_t now);
/* The connection broke and is opened again, or is open again. */
void progress_break(struct progress *progress, bool is_broken);
/* Takes the line away. */
void progress_hide(struct progress *progress);
/* Takes it away for one that stays, on standard error. */
void progress_print(struct progress *progress, const char *before, const char *text);
/* Shows a wait or a broken connection again after progress_hide(); a read shows itself. is_in_line: where the cursor
 * stands now. */
void progress_resume(struct progress *progress, bool is_in_line);

#endif
