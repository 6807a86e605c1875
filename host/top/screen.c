/* SPDX-License-Identifier: MIT */
/* The live view, with ncurses: keys, drawing, and the terminal's modes. The only file that knows ncurses. */
#include "top/terminal.h"

#include "base/array.h"
#include "base/clock.h"
#include "base/text/text.h"
#include "target/pull/interrupt.h"
#include "top/header.h"
#include "top/lists.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#include <ncurses.h>

top_terminal_run top_screen_run;

/* How often times such as "pulled 0.3 s ago" are drawn. */
#define REDRAW_MILLISECONDS 250

/* Lines above the rows (title, state, window, losses, headings) and below (keys). */
#define LINES_ABOVE 5
#define LINES_BELOW 1

#define KEY_ESCAPE 27
/* How long to wait for the rest of a key's sequence after its escape. */
#define ESCAPE_MILLISECONDS 50

#define HELP_PROMPT "h:help q:quit f/a/c:lists i:interval/start /:filter <>:sort space:freeze"

enum style { STYLE_PLAIN, STYLE_BOLD, STYLE_WARNING, STYLE_SELECTED, STYLE_DIM };

/* A view to come back to. */
struct step {
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
	const struct profile *profile; /* of the rows; NULL = there are none */
	struct error problem;          /* why there are none */
	struct top_picture *made_from;
	bool is_stale;           /* rows must be made again */
	size_t selected, first;  /* row under the cursor; first row on the screen */
	struct top_place cursor; /* the function under the cursor; none if it is on the first row */
	struct step *steps;
	size_t step_count;
	bool is_typing, is_helping, is_over;
	char typed[TOP_FILTER_MAX];
	char message[96]; /* in the last line, until the next key */
};

/* --- Drawing */

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

/* Draws one line of printable text, cut at the edge, and clears or fills the rest of it. */
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

/* A line that is printed to a stream first. */
struct line {
	FILE *stream;
	char *text;
	size_t size;
};

static bool line_begin(struct line *line)
{
	line->text = NULL;
	line->stream = open_memstream(&line->text, &line->size);
	return line->stream != NULL;
}

static void line_draw(const struct screen *screen, struct line *line, int at, enum style style)
{
	if (fclose(line->stream) == 0)
		draw_line(screen, at, style, line->text);
	free(line->text);
}

static void draw_title(const struct screen *screen)
{
	struct line line;

	if (!line_begin(&line))
		return;
	fprintf(line.stream, "bareprof top  %s", screen->model.is_frozen ? "FROZEN  " : "");
	text_print(line.stream, screen->model.source);
	fputs("  ", line.stream);
	text_print(line.stream, screen->model.elf_path);
	line_draw(screen, &line, 0, STYLE_BOLD);
}

static void draw_state(const struct screen *screen)
{
	struct line line;

	if (!line_begin(&line))
		return;
	const bool is_warning = top_print_state(&screen->model, clock_now(), line.stream);
	line_draw(screen, &line, 1, is_warning ? STYLE_WARNING : STYLE_PLAIN);
}

static enum top_window shown_window(const struct screen *screen)
{
	return top_picture_window(screen->model.shown, screen->view.window);
}

static void draw_window(const struct screen *screen)
{
	struct line line;

	if (screen->profile == NULL || !line_begin(&line))
		return;
	top_print_window(screen->model.shown, shown_window(screen), screen->profile, line.stream);
	line_draw(screen, &line, 2, STYLE_PLAIN);
}

static void draw_losses(const struct screen *screen)
{
	struct line line;

	if (screen->profile == NULL || !line_begin(&line))
		return;
	const bool is_warning = top_print_losses(screen->profile, line.stream);
	line_draw(screen, &line, 3, is_warning ? STYLE_WARNING : STYLE_PLAIN);
}

static void draw_headings(const struct screen *screen)
{
	struct line line;

	if (!line_begin(&line))
		return;
	top_print_headings(&screen->view, line.stream);
	line_draw(screen, &line, 4, STYLE_BOLD);
}

static size_t row_lines(void)
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

static void draw_row(const struct screen *screen, size_t index, int at)
{
	struct line line;

	if (!line_begin(&line))
		return;
	top_print_row(screen->profile, &screen->view, &screen->rows.rows[index], line.stream);
	line_draw(screen, &line, at, style_of_row(screen, index));
}

static const char *reason_for_no_rows(const struct screen *screen)
{
	if (screen->problem.message[0] != '\0')
		return screen->problem.message;
	if (screen->rows.hidden > 0)
		return "(the filter hides all rows)";
	if (screen->view.list == TOP_CONTEXTS)
		return "(no contexts: build library and firmware with -DBAREPROF_CONTEXTS=N)";
	return screen->view.list == TOP_ENTRY ? "(the function did not run)" : "(nothing was recorded)";
}

static void draw_rows(const struct screen *screen)
{
	for (size_t i = 0; i < row_lines(); i++) {
		const size_t index = screen->first + i;
		const int at = LINES_ABOVE + (int)i;

		if (index < screen->rows.count)
			draw_row(screen, index, at);
		else
			draw_line(screen, at, STYLE_PLAIN, i == 0 ? reason_for_no_rows(screen) : "");
	}
}

static void draw_prompt(const struct screen *screen)
{
	struct line line;

	if (!line_begin(&line))
		return;
	if (screen->is_typing) {
		fputs("Filter, a text or /expression/: ", line.stream);
		text_print(line.stream, screen->typed);
		fputc('_', line.stream);
	} else if (screen->message[0] != '\0') {
		fputs(screen->message, line.stream);
	} else if (screen->view.filter.text[0] != '\0' && screen->view.list != TOP_ENTRY) {
		fputs("Filter: ", line.stream);
		text_print(line.stream, screen->view.filter.text);
		fprintf(line.stream, ", hides %zu rows; / changes it", screen->rows.hidden);
	} else {
		fputs(HELP_PROMPT, line.stream);
	}
	line_draw(screen, &line, LINES - 1, STYLE_BOLD);
}

static void draw_help(const struct screen *screen)
{
	static const char *const lines[] = {
	        "bareprof top: keys",
	        "",
	        "  f a c        functions, arcs, contexts",
	        "  i            last interval, or since the profile started",
	        "  Enter        callers and callees of the function; Backspace or Esc: back",
	        "  Up Down j k  move; PgUp PgDn Home End",
	        "  < > s        sort by another column (*); r: in reverse",
	        "  /            filter by name: a text or /expression/; empty: none",
	        "  space        freeze, or go on",
	        "  q            quit",
	        "",
	        "+/- is the error (one standard deviation) of the percentage to its left.",
	        "<bareprof> is the recorder's own time.",
	        "",
	        "any key: back",
	};

	for (int i = 0; i < LINES; i++)
		draw_line(screen, i, i == 0 ? STYLE_BOLD : STYLE_PLAIN,
		          (size_t)i < sizeof lines / sizeof *lines ? lines[i] : "");
}

static void draw(const struct screen *screen)
{
	erase();
	if (screen->is_helping) {
		draw_help(screen);
	} else {
		draw_title(screen);
		draw_state(screen);
		draw_window(screen);
		draw_losses(screen);
		draw_headings(screen);
		draw_rows(screen);
		draw_prompt(screen);
	}
	refresh();
}

/* --- Rows and the cursor */

/* Keeps the cursor within the rows, and its row on the screen. */
static void clamp(struct screen *screen)
{
	const size_t lines = row_lines() > 0 ? row_lines() : 1;

	if (screen->selected >= screen->rows.count)
		screen->selected = screen->rows.count > 0 ? screen->rows.count - 1 : 0;
	if (screen->selected < screen->first)
		screen->first = screen->selected;
	if (screen->selected >= screen->first + lines)
		screen->first = screen->selected - lines + 1;
}

/* The cursor follows its function, except on the first row, which shows the largest. */
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

	/* A caller may be a callee, too, and an arc has more than its callee. */
	if (node == PROFILE_NONE || screen->view.list != TOP_FUNCTIONS)
		return;
	for (size_t i = 0; i < screen->rows.count; i++)
		if (screen->rows.rows[i].node == node)
			screen->selected = i;
}

static void make_rows(struct screen *screen)
{
	struct top_picture *picture = screen->model.shown;

	if (picture == NULL || (!screen->is_stale && picture == screen->made_from))
		return;
	top_rows_free(&screen->rows);
	screen->profile = NULL;
	screen->problem.message[0] = '\0';
	if (top_picture_profile(picture, shown_window(screen), &screen->profile, &screen->problem) == STATUS_OK &&
	    top_rows_make(screen->profile, picture->demangler, &screen->view, &screen->rows, &screen->problem) ==
	            STATUS_OK)
		restore_cursor(screen);
	screen->made_from = picture;
	screen->is_stale = false;
	clamp(screen);
}

static void go_to(struct screen *screen, size_t row)
{
	screen->selected = row;
	clamp(screen);
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

static void forget_steps(struct screen *screen)
{
	while (screen->step_count > 0)
		top_place_free(&screen->steps[--screen->step_count].place);
}

static void show_list(struct screen *screen, enum top_list list)
{
	forget_steps(screen);
	top_place_free(&screen->view.place);
	screen->view.list = list;
	show_top(screen);
}

/* Shows the callers and callees of the function under the cursor. */
static void drill(struct screen *screen)
{
	const struct step step = {screen->view.list, screen->view.place, screen->selected, screen->first};
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
	const struct step step = screen->steps[--screen->step_count];
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
		snprintf(screen->message, sizeof screen->message, "Not a valid expression; the filter is off");
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

static void handle_key(struct screen *screen, int key)
{
	const int page = row_lines() > 1 ? (int)row_lines() - 1 : 1;

	screen->message[0] = '\0';
	if (key == KEY_RESIZE)
		clamp(screen);
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
		drill(screen);
	else if (key == KEY_BACKSPACE || key == '\b' || key == 127 || key == KEY_ESCAPE || key == KEY_LEFT)
		go_back(screen);
	else
		handle_view_key(screen, key);
}

/* --- The terminal */

/* Its signal would end the program without restoring the terminal. endwin() restores the key. */
static void disable_quit_key(void)
{
	struct termios modes;

	if (tcgetattr(STDIN_FILENO, &modes) != 0)
		return;
	modes.c_cc[VQUIT] = _POSIX_VDISABLE;
	tcsetattr(STDIN_FILENO, TCSANOW, &modes);
	def_prog_mode();
}

static enum status begin_terminal(struct screen *screen, struct error *error)
{
	setlocale(LC_CTYPE, "");
	screen->is_utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	screen->terminal = newterm(NULL, stdout, stdin);
	if (screen->terminal == NULL)
		return status_fail_with(error, HINT_PRINT_TABLES, "TERM=%s: ncurses does not know this terminal",
		                        getenv("TERM") != NULL ? getenv("TERM") : "");
	set_escdelay(ESCAPE_MILLISECONDS);
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	curs_set(0);
	disable_quit_key();
	screen->has_colours = screen->options->colour && has_colors() && start_color() == OK &&
	                      use_default_colors() == OK && init_pair(1, COLOR_YELLOW, -1) == OK;
	return STATUS_OK;
}

static void end_terminal(struct screen *screen)
{
	if (screen->terminal == NULL)
		return;
	endwin();
	delscreen(screen->terminal);
	screen->terminal = NULL;
}

/* --- The loop */

static enum status collect(struct screen *screen, struct error *error)
{
	struct feed_news news;

	feed_collect(screen->feed, &news);
	if (news.is_over) {
		*error = news.failure;
		return STATUS_FAILED;
	}
	/* Rows refer to the picture that they were made from. */
	top_model_add(&screen->model, &news);
	return STATUS_OK;
}

/* The first capture shows whether the source and the ELF are right: until then the terminal is left alone. */
static enum status show_first(struct screen *screen, struct error *error)
{
	enum status status = collect(screen, error);

	if (status == STATUS_OK && screen->terminal == NULL && screen->model.now != NULL)
		return begin_terminal(screen, error);
	if (status == STATUS_OK && screen->model.now == NULL && screen->model.problem.message[0] != '\0') {
		*error = screen->model.problem;
		return STATUS_FAILED;
	}
	return status;
}

static void take_keys(struct screen *screen)
{
	for (int key = getch(); key != ERR && !screen->is_over; key = getch()) {
		handle_key(screen, key);
		make_rows(screen);
	}
}

/* Waits for a key, a capture or a signal. ncurses handles SIGWINCH and SIGTSTP, which interrupt the wait. */
static enum status run(struct screen *screen, struct error *error)
{
	enum { NEWS, SIGNAL, KEYS, DESCRIPTORS };
	struct pollfd all[DESCRIPTORS] = {
	        [NEWS] = {feed_descriptor(screen->feed), POLLIN, 0},
	        [SIGNAL] = {screen->interrupt.descriptor, POLLIN, 0},
	        [KEYS] = {STDIN_FILENO, POLLIN, 0},
	};
	enum status status = STATUS_OK;

	while (status == STATUS_OK && !screen->is_over) {
		const nfds_t count = screen->terminal != NULL ? DESCRIPTORS : DESCRIPTORS - 1;

		if (poll(all, count, REDRAW_MILLISECONDS) < 0 && errno != EINTR)
			return status_fail(error, "cannot wait for keys: %s", strerror(errno));
		if (all[SIGNAL].revents != 0 || all[KEYS].revents & (POLLERR | POLLHUP | POLLNVAL))
			return STATUS_OK;
		status = show_first(screen, error);
		if (status != STATUS_OK || screen->terminal == NULL)
			continue;
		make_rows(screen);
		take_keys(screen);
		draw(screen);
	}
	return status;
}

static void release(struct screen *screen)
{
	forget_steps(screen);
	free(screen->steps);
	top_rows_free(&screen->rows);
	top_place_free(&screen->cursor);
	top_place_free(&screen->view.place);
	top_filter_free(&screen->view.filter);
	top_model_free(&screen->model);
	interrupt_release(&screen->interrupt);
}

enum status top_screen_run(struct top_options *options, struct error *error)
{
	struct screen screen = {
	        .options = options,
	        .model = {.elf_path = options->feed.pull.elf_path,
	                  .source = options->feed.pull.source->text,
	                  .style = options->style,
	                  .force = options->feed.pull.force},
	        .interrupt = {.descriptor = -1},
	        .view = options->view,
	        .is_stale = true,
	};
	struct error left = {.message = ""};
	enum status status = interrupt_defer(&screen.interrupt, error);

	/* The view owns its filter and its place from here on. */
	top_view_begin(&options->view);
	if (status == STATUS_OK)
		status = feed_open(&options->feed, &screen.feed, error);
	if (status == STATUS_OK)
		status = run(&screen, error);
	end_terminal(&screen);
	feed_close(screen.feed, &left);
	release(&screen);
	return status_add(status, error, &left);
}
