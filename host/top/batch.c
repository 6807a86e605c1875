/* SPDX-License-Identifier: MIT */
/* See batch.h. */
#include "top/batch.h"

#include "acquire/pull/interrupt.h"
#include "base/clock.h"
#include "base/text/text.h"
#include "top/header.h"
#include "top/lists.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct batch {
	const struct top_options *options;
	struct top_model model;
	struct feed *feed;
	struct interrupt interrupt;
	FILE *stream;
	uint32_t printed;
	bool was_failing;
};

static void print_table_rows(const struct profile *profile, const struct top_view *view, const struct top_rows *rows,
                             uint32_t limit, FILE *stream)
{
	uint32_t printed = 0;

	top_print_headings(view, stream);
	fputc('\n', stream);
	for (size_t i = 0; i < rows->count; i++) {
		const bool is_recorder = view->list == TOP_FUNCTIONS && rows->rows[i].kind == PROFILE_BAREPROF;

		if (limit > 0 && !is_recorder && printed++ >= limit)
			continue;
		top_print_row(profile, view, &rows->rows[i], stream);
		fputc('\n', stream);
	}
	if (rows->count == 0)
		fputs(view->list == TOP_CONTEXTS ? TOP_NO_CONTEXTS "\n" : "(no rows)\n", stream);
}

enum status top_print_table(struct top_model *model, const struct top_view *view, uint32_t limit, uint64_t now,
                            FILE *stream, struct error *error)
{
	const enum top_window window = top_picture_window(model->shown, view->window);
	const struct profile *profile;
	struct top_rows rows;
	enum status status = top_picture_profile(model->shown, window, &profile, error);

	if (status != STATUS_OK)
		return status;
	status = top_rows_make(profile, model->shown->demangler, view, &rows, error);
	if (status == STATUS_OK) {
		top_print_state(model, now, stream);
		fputc('\n', stream);
		top_print_window(model->shown, window, profile, stream);
		fputc('\n', stream);
		top_print_losses(profile, stream);
		fputc('\n', stream);
		print_table_rows(profile, view, &rows, limit, stream);
	}
	top_rows_free(&rows);
	return status;
}

static void print_clock_time(const struct batch *batch, FILE *stream)
{
	const time_t now = time(NULL);
	struct tm local;
	char text[32] = "";

	if (localtime_r(&now, &local) != NULL)
		strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &local);
	fprintf(stream, "%s%s  ", batch->printed > 0 ? "\n" : "", text);
	text_print(stream, batch->model.source);
	fputs("  ", stream);
	text_print(stream, batch->model.elf_path);
	fputc('\n', stream);
}

/* Whether to print a table. Not before the chosen interval exists. */
static bool is_due(const struct batch *batch, bool is_new)
{
	const struct top_picture *picture = batch->model.latest;
	const enum top_window window = batch->options->view.window;

	return is_new && picture != NULL && picture->captures[window] != NULL;
}

static void print_note(const char *before, const char *text)
{
	fputs(before, stderr);
	text_print(stderr, text);
	fputc('\n', stderr);
}

/* Prints one note when captures begin to fail, and one when they work again. */
static void note_failures(struct batch *batch)
{
	const struct feed_news *news = &batch->model.news;
	const bool is_failing = news->is_failing || batch->model.problem.message[0] != '\0';

	if (is_failing && !batch->was_failing)
		print_note("note: no capture, trying again: ",
		           news->is_failing ? news->failure.message : batch->model.problem.message);
	if (!is_failing && batch->was_failing)
		print_note("note: capturing again", "");
	batch->was_failing = is_failing;
}

/* Writes the text, or gives up when a signal arrives while the reader does not read. */
static enum status write_out(const struct batch *batch, const char *text, size_t size, struct error *error)
{
	enum { OUTPUT, SIGNAL, DESCRIPTORS };
	struct pollfd all[DESCRIPTORS] = {
	        [OUTPUT] = {fileno(batch->stream), POLLOUT, 0},
	        [SIGNAL] = {batch->interrupt.descriptor, POLLIN, 0},
	};

	while (size > 0) {
		const int ready = poll(all, DESCRIPTORS, -1);

		if (ready < 0 && errno == EINTR)
			continue;
		if (ready < 0)
			return status_fail(error, "cannot wait for standard output: %s", strerror(errno));
		if (all[OUTPUT].revents == 0)
			return STATUS_OK;
		/* A pipe that is ready takes this many bytes at once. */
		const ssize_t count = write(all[OUTPUT].fd, text, size < PIPE_BUF ? size : PIPE_BUF);
		if (count < 0 && errno == EPIPE)
			return STATUS_PIPE;
		if (count < 0 && errno != EINTR && errno != EAGAIN)
			return status_fail(error, "standard output: cannot write: %s", strerror(errno));
		text += count > 0 ? count : 0;
		size -= count > 0 ? (size_t)count : 0;
	}
	return STATUS_OK;
}

static enum status write_batch_table(struct batch *batch, struct error *error)
{
	char *text = NULL;
	size_t size;
	FILE *memory = open_memstream(&text, &size);

	if (memory == NULL)
		return status_no_memory(error, batch->model.elf_path);
	print_clock_time(batch, memory);
	enum status status = top_print_table(&batch->model, &batch->options->view, batch->options->limit, clock_now(),
	                                     memory, error);
	if (fclose(memory) != 0 && status == STATUS_OK)
		status = status_no_memory(error, batch->model.elf_path);
	if (status == STATUS_OK)
		status = write_out(batch, text, size, error);
	free(text);
	batch->printed++;
	return status;
}

static enum status collect_batch_news(struct batch *batch, struct error *error)
{
	struct feed_news news;

	feed_collect(batch->feed, &news);
	if (news.is_over) {
		*error = news.failure;
		return STATUS_FAILED;
	}
	const struct top_picture *before = batch->model.latest;
	top_model_add(&batch->model, &news);
	note_failures(batch);
	if (!is_due(batch, batch->model.latest != before))
		return STATUS_OK;
	return write_batch_table(batch, error);
}

static bool ok(const struct batch *batch)
{
	return batch->options->count > 0 && batch->printed >= batch->options->count;
}

/* Waits for news, a signal, or the end of the reader. */
static enum status run_batch(struct batch *batch, struct error *error)
{
	enum { NEWS, SIGNAL, OUTPUT, DESCRIPTORS };
	struct pollfd all[DESCRIPTORS] = {
	        [NEWS] = {feed_descriptor(batch->feed), POLLIN, 0},
	        [SIGNAL] = {batch->interrupt.descriptor, POLLIN, 0},
	        [OUTPUT] = {fileno(batch->stream), 0, 0},
	};
	enum status status = STATUS_OK;

	while (status == STATUS_OK && !ok(batch)) {
		if (poll(all, DESCRIPTORS, -1) < 0 && errno != EINTR)
			return status_fail(error, "cannot wait for captures: %s", strerror(errno));
		if (all[SIGNAL].revents != 0)
			return batch->printed > 0 ? STATUS_OK : status_fail(error, "interrupted");
		if (all[OUTPUT].revents & POLLERR)
			return STATUS_PIPE;
		if (all[NEWS].revents != 0)
			status = collect_batch_news(batch, error);
	}
	return status;
}

enum status top_batch(struct top_options *options, FILE *stream, struct error *error)
{
	struct batch batch = {
	        .options = options,
	        .model = top_model_begin(&options->feed, options->style),
	        .interrupt = {.descriptor = -1},
	        .stream = stream,
	};
	struct error close_error = {.message = ""};
	enum status status = interrupt_defer(&batch.interrupt, error);

	if (status == STATUS_OK)
		status = feed_open(&options->feed, &batch.feed, error);
	if (status == STATUS_OK)
		status = run_batch(&batch, error);
	feed_close(batch.feed, &close_error);
	top_model_free(&batch.model);
	interrupt_release(&batch.interrupt);
	return status == STATUS_PIPE ? status : status_add(status, error, &close_error);
}
