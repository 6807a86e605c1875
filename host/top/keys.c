/* SPDX-License-Identifier: MIT */
/* Keys of the live view: cursor, lists, filter. */
#include "top/screen.h"

#include "base/array.h"
#include "top/lists.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEY_ESCAPE 27

/* --- Rows and the cursor */

/* Keeps the cursor within the rows, and its row on the screen. */
static void clamp_cursor(struct screen *screen)
{
	const size_t lines = screen_row_lines() > 0 ? screen_row_lines() : 1;

	if (screen->selected >= screen->rows.count)
		screen->selected = screen->rows.count > 0 ? screen->rows.count - 1 : 0;
	if (screen->selected < screen->first)
		screen->first = screen->selected;
	if (screen->selected >= screen->first + lines)
		screen->first = screen->selected - lines + 1;
}

/* The cursor follows its function, except on the first row, where it stays, so that it shows the largest function. */
static void remember_cursor(struct screen *screen)
{
	const bool is_kept = screen->selected > 0 && screen->selected < screen->rows.count && screen->profile != NULL &&
	                     screen->rows.rows[screen->selected].node != PROFILE_NONE;

	top_place_free(&screen->cursor);
	if (is_kept)
		top_place_set(&screen->cursor, screen->profile, screen->rows.rows[screen->selected].node);
}

static void restore_cursor(struct screen *screen)
{
	const size_t node = top_place_find(&screen->cursor, screen->profile);

	/* In other lists a function may have several rows: as a caller and a callee, or as the callee of several
	 * arcs. */
	if (node == PROFILE_NONE || screen->view.list != TOP_FUNCTIONS)
		return;
	for (size_t i = 0; i < screen->rows.count; i++)
		if (screen->rows.rows[i].node == node)
			screen->selected = i;
}

void screen_make_rows(struct screen *screen)
{
	struct top_picture *picture = screen->model.shown;

	if (picture == NULL || (!screen->is_stale && picture == screen->made_from))
		return;
	top_rows_free(&screen->rows);
	screen->profile = NULL;
	screen->problem.message[0] = '\0';
	if (top_picture_profile(picture, top_picture_window(picture, screen->view.window), &screen->profile,
	                        &screen->problem) == STATUS_OK &&
	    top_rows_make(screen->profile, picture->demangler, &screen->view, &screen->rows, &screen->problem) ==
	            STATUS_OK)
		restore_cursor(screen);
	screen->made_from = picture;
	screen->is_stale = false;
	clamp_cursor(screen);
}

static void go_to(struct screen *screen, size_t row)
{
	screen->selected = row;
	clamp_cursor(screen);
	remember_cursor(screen);
}

static void move_by(struct screen *screen, int rows)
{
	const size_t size = (size_t)(rows < 0 ? -rows : rows);

	if (rows < 0)
		go_to(screen, screen->selected > size ? screen->selected - size : 0);
	else
		go_to(screen, screen->selected + size);
}

/* --- Views */

static void show_top(struct screen *screen)
{
	screen->selected = screen->first = 0;
	top_place_free(&screen->cursor);
	screen->is_stale = true;
}

void screen_forget_steps(struct screen *screen)
{
	while (screen->step_count > 0)
		top_place_free(&screen->steps[--screen->step_count].place);
}

static void show_list(struct screen *screen, enum top_list list)
{
	screen_forget_steps(screen);
	top_place_free(&screen->view.place);
	screen->view.list = list;
	show_top(screen);
}

/* Shows the callers and callees of the function under the cursor. */
static void show_entry(struct screen *screen)
{
	const struct view_step step = {screen->view.list, screen->view.place, screen->selected, screen->first};
	const struct top_row *row = screen->selected < screen->rows.count ? &screen->rows.rows[screen->selected] : NULL;
	struct top_place place = {0};

	if (row == NULL || row->node == PROFILE_NONE || (screen->view.list == TOP_ENTRY && row->relation == TOP_ITSELF))
		return;
	if (!top_place_set(&place, screen->profile, row->node) ||
	    !array_append(&screen->steps, &screen->step_count, &step, sizeof step)) {
		top_place_free(&place);
		return;
	}
	screen->view.list = TOP_ENTRY;
	screen->view.place = place;
	show_top(screen);
}

static void go_back(struct screen *screen)
{
	if (screen->step_count == 0)
		return;
	const struct view_step step = screen->steps[--screen->step_count];
	top_place_free(&screen->view.place);
	screen->view.list = step.list;
	screen->view.place = step.place;
	show_top(screen);
	screen->selected = step.selected;
	screen->first = step.first;
}

static void sort_by_next(struct screen *screen, bool is_left)
{
	enum top_figure *sort = &screen->view.sort[screen->view.list];

	*sort = top_list_next_sort(screen->view.list, *sort, is_left);
	screen->is_stale = true;
}

static void apply_filter(struct screen *screen, const char *text)
{
	if (!top_filter_set(&screen->view.filter, text))
		snprintf(screen->message, sizeof screen->message,
		         "Not a valid expression, or too many repetitions; the filter is off");
	show_top(screen);
}

/* --- Keys */

static void type_key(struct screen *screen, int key)
{
	const size_t length = strlen(screen->typed);

	if (key == '\n' || key == KEY_ENTER || key == '\r') {
		screen->is_typing = false;
		apply_filter(screen, screen->typed);
	} else if (key == KEY_ESCAPE) {
		screen->is_typing = false;
	} else if ((key == KEY_BACKSPACE || key == '\b' || key == 127) && length > 0) {
		screen->typed[length - 1] = '\0';
	} else if (key >= ' ' && key < 256 && key != 127 && length + 1 < sizeof screen->typed) {
		screen->typed[length] = (char)key;
		screen->typed[length + 1] = '\0';
	}
}

static void begin_typing(struct screen *screen)
{
	screen->is_typing = true;
	snprintf(screen->typed, sizeof screen->typed, "%s", screen->view.filter.text);
}

static void handle_view_key(struct screen *screen, int key)
{
	switch (key) {
	case 'f':
		show_list(screen, TOP_FUNCTIONS);
		break;
	case 'a':
		show_list(screen, TOP_ARCS);
		break;
	case 'c':
		show_list(screen, TOP_CONTEXTS);
		break;
	case 'i':
		screen->view.window = screen->view.window == TOP_INTERVAL ? TOP_SINCE_START : TOP_INTERVAL;
		screen->is_stale = true;
		break;
	case '<':
	case '>':
	case 's':
		sort_by_next(screen, key == '<');
		break;
	case 'r':
		screen->view.is_reversed = !screen->view.is_reversed;
		screen->is_stale = true;
		break;
	case ' ':
		top_model_freeze(&screen->model, !screen->model.is_frozen);
		break;
	case '/':
		begin_typing(screen);
		break;
	case '?':
	case 'h':
		screen->is_helping = true;
		break;
	case 'q':
		screen->is_over = true;
		break;
	default:
		break;
	}
}

void screen_handle_key(struct screen *screen, int key)
{
	const int page = screen_row_lines() > 1 ? (int)screen_row_lines() - 1 : 1;

	screen->message[0] = '\0';
	if (key == KEY_RESIZE)
		clamp_cursor(screen);
	else if (screen->is_helping)
		screen->is_helping = false;
	else if (screen->is_typing)
		type_key(screen, key);
	else if (key == KEY_UP || key == 'k')
		move_by(screen, -1);
	else if (key == KEY_DOWN || key == 'j')
		move_by(screen, 1);
	else if (key == KEY_PPAGE)
		move_by(screen, -page);
	else if (key == KEY_NPAGE)
		move_by(screen, page);
	else if (key == KEY_HOME)
		go_to(screen, 0);
	else if (key == KEY_END)
		go_to(screen, screen->rows.count);
	else if (key == '\n' || key == '\r' || key == KEY_ENTER || key == KEY_RIGHT)
		show_entry(screen);
	else if (key == KEY_BACKSPACE || key == '\b' || key == 127 || key == KEY_ESCAPE || key == KEY_LEFT)
		go_back(screen);
	else
		handle_view_key(screen, key);
}
