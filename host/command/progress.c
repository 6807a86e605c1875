/* SPDX-License-Identifier: MIT */
/* See progress.h. */
#include "command/progress.h"

#include "base/text/text.h"

#include <inttypes.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Milliseconds: shorter operations are not shown, and the line is not redrawn more often. */
#define SHOWN_AFTER 200u
#define DRAWN_EVERY 100u

/* A shorter bar shows less than the numbers next to it. */
#define BAR_MIN 10
#define BAR_MAX 30

#define COLUMNS_DEFAULT 80

struct progress progress_begin(void)
{
	return (struct progress){.stream = isatty(STDERR_FILENO) ? stderr : NULL};
}

/* The columns of a line except the last, after which some terminals wrap. */
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

/* Draws the first text that fits; if none does, cuts the last one. */
static void draw_fitting(struct progress *progress, const char *const texts[], size_t count)
{
	const size_t room = (size_t)room_in_line(progress);
	size_t i = 0;

	while (i + 1 < count && strlen(texts[i]) > room)
		i++;
	draw_text(progress, texts[i]);
}

struct figures {
	char percent[8];
	char brief[2 * TEXT_COUNT_SIZE + 16];
	char full[3 * TEXT_COUNT_SIZE + 40];
	int full_width; /* width that the full text never exceeds during this read, so that growing figures do not move
	                  anything */
};

static struct figures figures_of(const struct progress *progress, uint64_t milliseconds)
{
	char done[TEXT_COUNT_SIZE], total[TEXT_COUNT_SIZE], rate[TEXT_COUNT_SIZE], highest[TEXT_COUNT_SIZE];
	struct figures figures;

	text_format_count(progress->done, done);
	text_format_count(progress->total, total);
	text_format_count((progress->done - progress->begun_with) * 1000 / milliseconds, rate);
	/* The highest rate: all bytes are read before anything is shown. */
	text_format_count(progress->total * 1000 / SHOWN_AFTER, highest);
	snprintf(figures.percent, sizeof figures.percent, "%3.0f %%",
	         (double)progress->done / (double)progress->total * 100);
	snprintf(figures.brief, sizeof figures.brief, "%*s of %s bytes", (int)strlen(total), done, total);
	int length = snprintf(figures.full, sizeof figures.full, "%s of memory, %s bytes/s", figures.brief, rate);
	figures.full_width = length + (int)strlen(highest) - (int)strlen(rate);
	return figures;
}

/* Draws a bar before the text; false if the line has no room for it. */
static bool draw_progress_bar(struct progress *progress, const char *text, int text_width)
{
	char line[BAR_MAX + 3 + sizeof((struct figures *)0)->full];
	int length = room_in_line(progress) - text_width - (int)strlen("[] ");

	length = length < BAR_MAX ? length : BAR_MAX;
	int filled = (int)((double)progress->done / (double)progress->total * length);

	if (length < BAR_MIN)
		return false;
	snprintf(line, sizeof line, "[%.*s%*s] %s", filled, "##############################", length - filled, "",
	         text);
	draw_text(progress, line);
	return true;
}

static void draw_read(struct progress *progress, uint64_t milliseconds)
{
	const struct figures figures = figures_of(progress, milliseconds);

	if (!draw_progress_bar(progress, figures.full, figures.full_width) &&
	    !draw_progress_bar(progress, figures.brief, (int)strlen(figures.brief)))
		draw_fitting(progress, (const char *[]){figures.brief, figures.percent}, 2);
}

void progress_update(struct progress *progress, uint64_t done, uint64_t total, uint64_t now)
{
	bool is_new = total != progress->total || done < progress->done;

	if (progress->stream == NULL)
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

/* Draws a state other than a read. */
static void draw_waiting_state(struct progress *progress)
{
	char brief[32], text[80];

	if (progress->stream == NULL || progress->is_in_line || (!progress->is_broken && progress->waiting == 0))
		return;
	snprintf(brief, sizeof brief, "waiting for %.10g s", progress->waiting / 1000.0);
	snprintf(text, sizeof text, "%s while the target works", brief);
	if (progress->is_broken)
		draw_fitting(progress,
		             (const char *[]){"connection broken, opening it again", "connection broken", "broken"}, 3);
	else
		draw_fitting(progress, (const char *[]){text, brief, "waiting"}, 3);
}

void progress_wait(struct progress *progress, unsigned milliseconds)
{
	progress_hide(progress);
	progress->waiting = milliseconds;
	draw_waiting_state(progress);
}

void progress_sample(struct progress *progress, uint64_t left, uint64_t reads, uint64_t now)
{
	char count[TEXT_COUNT_SIZE], brief[32], text[sizeof brief + TEXT_COUNT_SIZE + 32];

	if (progress->stream == NULL || now - progress->drawn < DRAWN_EVERY)
		return;
	snprintf(brief, sizeof brief, "%" PRIu64 " s left", (left + 999) / 1000);
	snprintf(text, sizeof text, "sampling: %s, %s reads so far", brief, text_format_count(reads, count));
	draw_fitting(progress, (const char *[]){text, brief}, 2);
	progress->drawn = now;
}

void progress_break(struct progress *progress, bool is_broken)
{
	progress_hide(progress);
	progress->is_broken = is_broken;
	draw_waiting_state(progress);
}

void progress_hide(struct progress *progress)
{
	if (!progress->is_shown)
		return;
	fputs("\r\033[K", progress->stream);
	fflush(progress->stream);
	progress->is_shown = false;
}

void progress_print(struct progress *progress, const char *before, const char *text)
{
	progress_hide(progress);
	fputs(before, stderr);
	text_print(stderr, text);
	fputc('\n', stderr);
}

void progress_resume(struct progress *progress, bool is_in_line)
{
	progress->is_in_line = is_in_line;
	draw_waiting_state(progress);
}
