/* SPDX-License-Identifier: MIT */
/* A transient line on the terminal with the progress of a read, sampling or wait. Private to command/. */
#ifndef COMMAND_PROGRESS_H
#define COMMAND_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct progress {
	FILE *stream;     /* NULL: show nothing */
	unsigned columns; /* 0: ask the terminal at each drawing, as it may be resized */
	bool is_shown;
	bool is_in_line;                   /* other output has begun a line: draw nothing over it */
	uint64_t done, total;              /* bytes of the current read */
	uint64_t began, begun_with, drawn; /* time and bytes at its first update; time of the last drawing */
	unsigned waiting;                  /* milliseconds of the current wait; 0: none */
	bool is_broken;                    /* the connection */
};

/* Starts a progress line on standard error if that is a terminal. */
struct progress progress_begin(void);
/* Updates a read: done of total bytes at this time in milliseconds. Short reads are not shown. */
void progress_update(struct progress *progress, uint64_t done, uint64_t total, uint64_t now);
/* Shows a wait of this many milliseconds; 0 ends it. */
void progress_wait(struct progress *progress, unsigned milliseconds);
/* Updates sampling: milliseconds left and reads made, at this time in milliseconds. */
void progress_sample(struct progress *progress, uint64_t left, uint64_t reads, uint64_t now);
/* Shows that the connection is broken, or restored. */
void progress_break(struct progress *progress, bool is_broken);
/* Removes the line. */
void progress_hide(struct progress *progress);
/* Replaces the line by one that stays, on standard error. */
void progress_print(struct progress *progress, const char *before, const char *text);
/* Shows a wait or a broken connection again after progress_hide(); a read shows itself. is_in_line: the cursor is
 * within a line of other output. */
void progress_resume(struct progress *progress, bool is_in_line);

#endif
