/* SPDX-License-Identifier: MIT */
/* See progress.h. */
#include "command/progress.h"

#include "text/text.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Milliseconds: what takes less needs no bar, and nobody reads a faster one. */
#define SHOWN_AFTER 200u
#define DRAWN_EVERY 100u

/* A shorter bar says less than the numbers beside it. */
#define BAR_MIN 10
#define BAR_MAX 30

#define COLUMNS_DEFAULT 80

struct progress progress_begin(void)
{
	return (struct progress){.stream = isatty(STDERR_FILENO) ? stderr : NULL};
}

/* A character less than a line has: behind its last one some terminals begin another. */
static int room_in_line(const struct progress *progress)
{
	struct winsize size;
	int columns = (int)progress->columns;

	if (columns == 0 && ioctl(fileno(progress->stream), TIOCGWINSZ, &size) == 0)
		columns = size.ws_col;
	return (columns > 0 ? columns : COLUMNS_DEFAULT) - 1;
}

static void draw_text(struct progress *progress, const char *text)
{
	fprintf(progress->stream, "\r%.*s\033[K", room_in_line(progress), text);
	fflush(progress->stream);
	progress->is_shown = true;
}

/* Puts a bar in front of the text, as long as the room allows; false if that is too short. */
static bool add_bar(const struct progress *progress, int room, const char *text, char *line, size_t capacity)
{
	int length = room - (int)strlen(text) - (int)strlen("[] ");
	length = length < BAR_MAX ? length : BAR_MAX;
	int filled = (int)((double)progress->done / (double)progress->total * length);

	if (length < BAR_MIN)
		return false;
	snprintf(line, capacity, "[%.*s%*s] %s", filled, "##############################", length - filled, "", text);
	return true;
}

static void draw_read(struct progress *progress, uint64_t milliseconds)
{
	char done[TEXT_COUNT_SIZE], total[TEXT_COUNT_SIZE], rate[TEXT_COUNT_SIZE];
	char brief[2 * TEXT_COUNT_SIZE + 16], full[3 * TEXT_COUNT_SIZE + 40], line[BAR_MAX + 3 + sizeof full];
	int room = room_in_line(progress);

	text_format_count(progress->done, done);
	text_format_count(progress->total, total);
	text_format_count((progress->done - progress->begun_with) * 1000 / milliseconds, rate);
	snprintf(brief, sizeof brief, "%s of %s bytes", done, total);
	snprintf(full, sizeof full, "%s of memory, %s bytes/s", brief, rate);
	bool has_bar =
	        add_bar(progress, room, full, line, sizeof line) || add_bar(progress, room, brief, line, sizeof line);
	draw_text(progress, has_bar ? line : brief);
}

void progress_tell(struct progress *progress, uint64_t done, uint64_t total, uint64_t now)
{
	bool is_new = total != progress->total || done < progress->done;

	if (!progress->stream)
		return;
	if (is_new) {
		progress_hide(progress);
		progress->began = now;
		progress->begun_with = done;
	}
	progress->done = done;
	progress->total = total;
	if (done >= total)
		progress_hide(progress);
	else if (!progress->is_in_line && now - progress->began >= SHOWN_AFTER &&
	         now - progress->drawn >= DRAWN_EVERY) {
		draw_read(progress, now - progress->began);
		progress->drawn = now;
	}
}

/* What is no read. */
static void draw_state(struct progress *progress)
{
	char text[80];

	if (!progress->stream || progress->is_in_line || (!progress->is_broken && progress->waiting == 0))
		return;
	snprintf(text, sizeof text, "waiting for %.10g s while the target works", progress->waiting / 1000.0);
	draw_text(progress, progress->is_broken ? "connection broken, opening it again" : text);
}

void progress_wait(struct progress *progress, unsigned milliseconds)
{
	progress_hide(progress);
	progress->waiting = milliseconds;
	draw_state(progress);
}

void progress_break(struct progress *progress, bool is_broken)
{
	progress_hide(progress);
	progress->is_broken = is_broken;
	draw_state(progress);
}

void progress_hide(struct progress *progress)
{
	if (!progress->is_shown)
		return;
	fputs("\r\033[K", progress->stream);
	fflush(progress->stream);
	progress->is_shown = false;
}

void progress_resume(struct progress *progress, bool is_in_line)
{
	progress->is_in_line = is_in_line;
	draw_state(progress);
}
