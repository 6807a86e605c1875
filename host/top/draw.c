/* SPDX-License-Identifier: MIT */
/* Drawing of the live view. */
#include "top/screen.h"

#include "base/clock.h"
#include "base/text/text.h"
#include "top/header.h"
#include "top/lists.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

/* Lines above the rows (title, state, window, losses, headings) and below (keys). */
#define LINES_ABOVE 5
#define LINES_BELOW 1

/* The keys, in at most 80 columns. */
#define LIST_KEYS "h:help q:quit Enter:calls f/a/c:lists i:interval /:filter <>:sort space:freeze"
static const char *const list_keys[TOP_LISTS] = {
        [TOP_FUNCTIONS] = LIST_KEYS,
        [TOP_ARCS] = LIST_KEYS,
        [TOP_CONTEXTS] = "h:help q:quit f/a/c:lists i:interval /:filter <>:sort space:freeze",
        [TOP_ENTRY] = "h:help q:quit Enter:calls Esc:back f/a/c:lists i:interval <>:sort space:freeze",
};

enum style { STYLE_PLAIN, STYLE_BOLD, STYLE_WARNING, STYLE_SELECTED, STYLE_DIM };

static void set_style(const struct screen *screen, enum style style)
{
	static const attr_t attributes[] = {[STYLE_PLAIN] = A_NORMAL,
	                                    [STYLE_BOLD] = A_BOLD,
	                                    [STYLE_WARNING] = A_BOLD,
	                                    [STYLE_SELECTED] = A_REVERSE,
	                                    [STYLE_DIM] = A_DIM};

	attr_set(attributes[style], 0, NULL);
	if (screen->has_colours && style == STYLE_WARNING)
		color_set(1, NULL);
}

/* Decodes one character of text; characters that the locale cannot show become '?'. */
static wchar_t next_character(const struct screen *screen, const char **text)
{
	wchar_t character;
	const size_t length = text_character(*text);
	mbstate_t state;

	memset(&state, 0, sizeof state);
	if (length <= 1 || !screen->is_utf8 || mbrtowc(&character, *text, length, &state) != length ||
	    wcwidth(character) < 0)
		character = length == 1 ? (wchar_t)(unsigned char)**text : L'?';
	*text += length > 0 ? length : 1;
	return character;
}

/* Draws one line of printable text, cut at the edge, and fills the rest of the line with blanks. */
static void draw_line(const struct screen *screen, int line, enum style style, const char *text)
{
	int column = 0;

	if (line < 0 || line >= LINES)
		return;
	set_style(screen, style);
	move(line, 0);
	while (*text != '\0') {
		const wchar_t character[] = {next_character(screen, &text), L'\0'};

		column += wcwidth(character[0]);
		if (column > COLS)
			break;
		addnwstr(character, 1);
	}
	for (; column < COLS; column++)
		addch(' ');
	attrset(A_NORMAL);
}

/* A line that is first printed to a stream. */
struct screen_line {
	FILE *stream;
	char *text;
	size_t size;
};

static bool line_begin(struct screen_line *line)
{
	line->text = NULL;
	line->stream = open_memstream(&line->text, &line->size);
	return line->stream != NULL;
}

static void line_draw(const struct screen *screen, struct screen_line *line, int y, enum style style)
{
	if (fclose(line->stream) == 0)
		draw_line(screen, y, style, line->text);
	free(line->text);
}

static void draw_title(const struct screen *screen)
{
	struct screen_line line;

	if (!line_begin(&line))
		return;
	fprintf(line.stream, "bareprof top  %s", screen->model.is_frozen ? "FROZEN  " : "");
	text_print(line.stream, screen->model.source);
	fputs("  ", line.stream);
	text_print(line.stream, screen->model.elf_path);
	line_draw(screen, &line, 0, STYLE_BOLD);
}

static void draw_run_state(const struct screen *screen)
{
	struct screen_line line;

	if (!line_begin(&line))
		return;
	const bool is_warning = top_print_state(&screen->model, clock_now(), line.stream);
	line_draw(screen, &line, 1, is_warning ? STYLE_WARNING : STYLE_PLAIN);
}

static enum top_window shown_window(const struct screen *screen)
{
	return top_picture_window(screen->model.shown, screen->view.window);
}

static void draw_time_window(const struct screen *screen)
{
	struct screen_line line;

	if (screen->profile == NULL || !line_begin(&line))
		return;
	top_print_window(screen->model.shown, shown_window(screen), screen->profile, line.stream);
	line_draw(screen, &line, 2, STYLE_PLAIN);
}

static void draw_losses(const struct screen *screen)
{
	struct screen_line line;

	if (screen->profile == NULL || !line_begin(&line))
		return;
	const bool is_warning = top_print_losses(screen->profile, line.stream);
	line_draw(screen, &line, 3, is_warning ? STYLE_WARNING : STYLE_PLAIN);
}

static void draw_headings(const struct screen *screen)
{
	struct screen_line line;

	if (!line_begin(&line))
		return;
	top_print_headings(&screen->view, line.stream);
	line_draw(screen, &line, 4, STYLE_BOLD);
}

size_t screen_row_lines(void)
{
	return LINES > LINES_ABOVE + LINES_BELOW ? (size_t)(LINES - LINES_ABOVE - LINES_BELOW) : 0;
}

static enum style style_of_row(const struct screen *screen, size_t index)
{
	const struct top_row *row = &screen->rows.rows[index];

	if (index == screen->selected)
		return STYLE_SELECTED;
	if (screen->view.list == TOP_ENTRY && row->relation == TOP_ITSELF)
		return STYLE_BOLD;
	return row->kind == PROFILE_BAREPROF ? STYLE_DIM : STYLE_PLAIN;
}

static void draw_row(const struct screen *screen, size_t index, int y)
{
	struct screen_line line;

	if (!line_begin(&line))
		return;
	top_print_row(screen->profile, &screen->view, &screen->rows.rows[index], line.stream);
	line_draw(screen, &line, y, style_of_row(screen, index));
}

static const char *reason_for_no_rows(const struct screen *screen)
{
	if (screen->problem.message[0] != '\0')
		return screen->problem.message;
	if (screen->rows.hidden > 0)
		return "(the filter hides all rows)";
	if (screen->view.list == TOP_CONTEXTS)
		return TOP_NO_CONTEXTS;
	return screen->view.list == TOP_ENTRY ? "(the function did not run)" : "(nothing was recorded)";
}

static void draw_rows(const struct screen *screen)
{
	for (size_t i = 0; i < screen_row_lines(); i++) {
		const size_t index = screen->first + i;
		const int y = LINES_ABOVE + (int)i;

		if (index < screen->rows.count)
			draw_row(screen, index, y);
		else
			draw_line(screen, y, STYLE_PLAIN, i == 0 ? reason_for_no_rows(screen) : "");
	}
}

static void draw_prompt(const struct screen *screen)
{
	struct screen_line line;

	if (!line_begin(&line))
		return;
	if (screen->is_typing) {
		fputs("Filter (text or /expression/; empty: none): ", line.stream);
		text_print(line.stream, screen->typed);
		fputc('_', line.stream);
	} else if (screen->message[0] != '\0') {
		fputs(screen->message, line.stream);
	} else if (screen->view.filter.text[0] != '\0' && screen->view.list != TOP_ENTRY) {
		fputs("Filter: ", line.stream);
		text_print(line.stream, screen->view.filter.text);
		fprintf(line.stream, ", hides %zu rows; / changes it", screen->rows.hidden);
	} else {
		fputs(list_keys[screen->view.list], line.stream);
	}
	line_draw(screen, &line, LINES - 1, STYLE_BOLD);
}

static void draw_help(const struct screen *screen)
{
	static const char *const lines[] = {
	        "bareprof top: keys",
	        "",
	        "  f a c        functions, arcs, contexts",
	        "  i            last interval, or everything since the start",
	        "  Enter Right  callers and callees of the function; Backspace, Left, Esc: back",
	        "  Up Down j k  move; PgUp PgDn Home End",
	        "  < > s        sort by another column (*); r: reverse the order",
	        "  /            filter by name: a text or /expression/; empty: none",
	        "  space        freeze, or unfreeze",
	        "  q            quit",
	        "",
	        "+/- is the error (one standard deviation) of the percentage to its left.",
	        "<bareprof> is the recorder's own time.",
	        "",
	        "Press any key to go back.",
	};

	for (int i = 0; i < LINES; i++)
		draw_line(screen, i, i == 0 ? STYLE_BOLD : STYLE_PLAIN,
		          (size_t)i < sizeof lines / sizeof *lines ? lines[i] : "");
}

void screen_draw(const struct screen *screen)
{
	erase();
	if (screen->is_helping) {
		draw_help(screen);
	} else {
		draw_title(screen);
		draw_run_state(screen);
		draw_time_window(screen);
		draw_losses(screen);
		draw_headings(screen);
		draw_rows(screen);
		draw_prompt(screen);
	}
	refresh();
}
