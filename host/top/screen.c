/* SPDX-License-Identifier: MIT */
/* The live view, with ncurses: the loop, and the terminal's modes. */
#include "top/screen.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

top_terminal_run top_screen_run;

/* Times such as "pulled 0.3 s ago" are redrawn this often. */
#define REDRAW_MILLISECONDS 250

/* How long to wait for the rest of a key's sequence after its escape. */
#define ESCAPE_MILLISECONDS 50

/* --- The terminal */

/* The signal of Ctrl-\ would end the program without restoring the terminal. endwin() restores the key. */
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
		return status_fail_with(error, HINT_PRINT_TABLES, "TERM=%s: ncurses cannot use this terminal",
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

static enum status collect_screen_news(struct screen *screen, struct error *error)
{
	struct feed_news news;

	feed_collect(screen->feed, &news);
	if (news.is_over) {
		*error = news.failure;
		return STATUS_FAILED;
	}
	/* Rows refer to the picture that they were made from, which may now be freed. */
	top_model_add(&screen->model, &news);
	return STATUS_OK;
}

/* Does not touch the terminal until the first capture shows that source and ELF are valid. */
static enum status begin_on_first_capture(struct screen *screen, struct error *error)
{
	enum status status = collect_screen_news(screen, error);

	if (status == STATUS_OK && screen->terminal == NULL && screen->model.latest != NULL)
		return begin_terminal(screen, error);
	if (status == STATUS_OK && screen->model.latest == NULL && screen->model.problem.message[0] != '\0') {
		*error = screen->model.problem;
		return STATUS_FAILED;
	}
	return status;
}

static void take_keys(struct screen *screen)
{
	for (int key = getch(); key != ERR && !screen->is_over; key = getch()) {
		screen_handle_key(screen, key);
		screen_make_rows(screen);
	}
}

/* Waits for a key, a capture or a signal. ncurses handles SIGWINCH and SIGTSTP, which interrupt the wait. */
static enum status run_screen(struct screen *screen, struct error *error)
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
		status = begin_on_first_capture(screen, error);
		if (status != STATUS_OK || screen->terminal == NULL)
			continue;
		screen_make_rows(screen);
		take_keys(screen);
		screen_draw(screen);
	}
	return status;
}

static void release_screen(struct screen *screen)
{
	screen_forget_steps(screen);
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
	        .model = top_model_begin(&options->feed, options->style),
	        .interrupt = {.descriptor = -1},
	        .view = options->view,
	        .is_stale = true,
	};
	struct error left = {.message = ""};
	enum status status = interrupt_defer(&screen.interrupt, error);

	/* From here on the screen's view owns the filter and the place. */
	top_view_begin(&options->view);
	if (status == STATUS_OK)
		status = feed_open(&options->feed, &screen.feed, error);
	if (status == STATUS_OK)
		status = run_screen(&screen, error);
	end_terminal(&screen);
	feed_close(screen.feed, &left);
	release_screen(&screen);
	return status_add(status, error, &left);
}
