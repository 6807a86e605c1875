/* SPDX-License-Identifier: MIT */
/* The state of the live view, and its parts: drawing and keys. Private to the files that use ncurses. */
#ifndef TOP_SCREEN_H
#define TOP_SCREEN_H

#include "acquire/pull/interrupt.h"
#include "top/terminal.h"

#include <ncurses.h>

/* A view to return to. */
struct view_step {
	enum top_list list;
	struct top_place place;
	size_t selected, first;
};

struct screen {
	const struct top_options *options;
	struct top_model model;
	struct feed *feed;
	struct interrupt interrupt;
	SCREEN *terminal; /* NULL: not begun */
	bool has_colours, is_utf8;
	struct top_view view;
	struct top_rows rows;
	const struct profile *profile; /* profile of the rows; NULL: no rows */
	struct error problem;          /* why there are no rows */
	struct top_picture *made_from;
	bool is_stale;           /* rows must be made again */
	size_t selected, first;  /* row under the cursor; first row on the screen */
	struct top_place cursor; /* the function under the cursor; none on the first row */
	struct view_step *steps;
	size_t step_count;
	bool is_typing, is_helping, is_over;
	char typed[TOP_FILTER_MAX];
	char message[96]; /* in the last line, until the next key */
};

/* The number of lines for rows on a screen of this size. */
size_t screen_row_lines(void);
void screen_draw(const struct screen *screen);

/* Makes the rows again if the picture or the view has changed. Call it after each such change. */
void screen_make_rows(struct screen *screen);
void screen_handle_key(struct screen *screen, int key);
/* Frees the views to return to. */
void screen_forget_steps(struct screen *screen);

#endif
