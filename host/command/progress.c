/* SPDX-License-Identifier: MIT */
/* See progress.h. */
#include "command/progress.h"

#include "text/text.h"

#include <unistd.h>

/* Milliseconds: what takes less needs no bar, and nobody reads a faster one. */
#define SHOWN_AFTER 200u
#define DRAWN_EVERY 100u

#define BAR_WIDTH 30

struct progress progress_begin(void)
{
	return (struct progress){.stream = isatty(STDERR_FILENO) ? stderr : NULL};
}

static void draw(struct progress *progress, uint64_t milliseconds)
{
	char done[TEXT_COUNT_SIZE], total[TEXT_COUNT_SIZE], rate[TEXT_COUNT_SIZE];
	int filled = (int)((double)progress->done / (double)progress->total * BAR_WIDTH);

	text_format_count(progress->done, done);
	text_format_count(progress->total, total);
	text_format_count((progress->done - progress->begun_with) * 1000 / milliseconds, rate);
	fprintf(progress->stream, "\r[%.*s%*s] %s of %s bytes, %s bytes/s\033[K", filled,
	        "##############################", BAR_WIDTH - filled, "", done, total, rate);
	fflush(progress->stream);
	progress->is_shown = true;
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
	else if (now - progress->began >= SHOWN_AFTER && now - progress->drawn >= DRAWN_EVERY) {
		draw(progress, now - progress->began);
		progress->drawn = now;
	}
}

void progress_hide(struct progress *progress)
{
	if (!progress->is_shown)
		return;
	fputs("\r\033[K", progress->stream);
	fflush(progress->stream);
	progress->is_shown = false;
}
