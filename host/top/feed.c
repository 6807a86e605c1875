/* SPDX-License-Identifier: MIT */
/* See feed.h. */
#include "top/feed.h"

#include "acquire/channel/client.h"
#include "acquire/pull/follow.h"
#include "base/clock.h"
#include "base/text/text.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* The longest pause between two attempts to connect, unless the interval is longer. */
#define BACKOFF_MILLISECONDS_MAX 4000u

struct feed {
	const struct feed_options *options;
	struct target_observer observer;
	struct target_setup setup;
	struct pull_options pull;
	struct follow *follow; /* used only by the thread */
	int ready, cancel;     /* event descriptors: readable if there is news; readable if the thread must end */
	pthread_t thread;
	bool is_running;
	pthread_mutex_t mutex; /* protects news */
	struct feed_news news;
};

static void wake_reader(int descriptor)
{
	const uint64_t one = 1;

	/* A failed write is harmless: then the descriptor is already readable. */
	if (write(descriptor, &one, sizeof one) < 0)
		return;
}

static void feed_on_progress(void *context, uint64_t done, uint64_t total)
{
	struct feed *feed = context;

	pthread_mutex_lock(&feed->mutex);
	feed->news.done = done;
	feed->news.total = total;
	pthread_mutex_unlock(&feed->mutex);
}

static void feed_on_trace(void *context, const char *line)
{
	(void)context;
	text_print(stderr, line);
	fputc('\n', stderr);
}

/* Replaces a capture that was not collected: counts only grow, so the new capture contains its counts. */
static void post_capture(struct feed *feed, struct capture *capture)
{
	pthread_mutex_lock(&feed->mutex);
	if (feed->news.capture != NULL)
		capture_close(feed->news.capture);
	feed->news.capture = capture;
	feed->news.taken = clock_now();
	feed->news.reloads = follow_reloads(feed->follow);
	feed->news.is_failing = false;
	feed->news.total = 0;
	pthread_mutex_unlock(&feed->mutex);
	wake_reader(feed->ready);
}

static void post_failure(struct feed *feed, const struct error *error, unsigned pause, bool is_over)
{
	const uint64_t now = clock_now();

	pthread_mutex_lock(&feed->mutex);
	if (!feed->news.is_failing)
		feed->news.failing_since = now;
	feed->news.is_failing = true;
	feed->news.failures++;
	feed->news.is_over = is_over;
	feed->news.failure = *error;
	feed->news.next_try = now + pause;
	feed->news.total = 0;
	pthread_mutex_unlock(&feed->mutex);
	wake_reader(feed->ready);
}

static void post_elf_problem(struct feed *feed)
{
	pthread_mutex_lock(&feed->mutex);
	snprintf(feed->news.elf_problem.message, sizeof feed->news.elf_problem.message, "%s",
	         follow_elf_problem(feed->follow));
	pthread_mutex_unlock(&feed->mutex);
}

/* The pause doubles after each failure in a row. */
static unsigned next_pause(unsigned pause, unsigned interval)
{
	const unsigned max = interval > BACKOFF_MILLISECONDS_MAX ? interval : BACKOFF_MILLISECONDS_MAX;

	return pause < max / 2 ? 2 * pause : max;
}

static bool feed_is_cancelled(const struct feed *feed)
{
	return !clock_system.pause(0, feed->cancel);
}

static void *feed_run(void *context)
{
	struct feed *feed = context;
	const unsigned interval = feed->options->milliseconds;
	bool is_first = true, is_over = false;

	for (unsigned pause = interval; !is_over && !feed_is_cancelled(feed);) {
		struct capture *capture;
		struct error error = {.message = ""};
		const enum status status = follow_take(feed->follow, pause, feed->cancel, &capture, &error);

		post_elf_problem(feed);
		pause = status == STATUS_OK ? interval : next_pause(pause, interval);
		is_over = status != STATUS_OK && is_first;
		if (status == STATUS_OK)
			post_capture(feed, capture);
		else
			post_failure(feed, &error, pause, is_over);
		is_first = false;
	}
	return NULL;
}

static enum status start_thread(struct feed *feed, struct error *error)
{
	sigset_t all, before;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	const int failure = pthread_create(&feed->thread, NULL, feed_run, feed);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	feed->is_running = failure == 0;
	return failure == 0 ? STATUS_OK : status_fail(error, "cannot start a thread: %s", strerror(failure));
}

static enum status open_descriptors(struct feed *feed, struct error *error)
{
	feed->ready = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	feed->cancel = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	return feed->ready >= 0 && feed->cancel >= 0
	               ? STATUS_OK
	               : status_fail(error, "cannot create an event descriptor: %s", strerror(errno));
}

enum status feed_open(const struct feed_options *options, struct feed **feed, struct error *error)
{
	struct feed *new = calloc(1, sizeof *new);
	struct error ignored;

	if (new == NULL)
		return status_no_memory(error, options->pull.elf_path);
	new->options = options;
	new->observer = (struct target_observer){
	        .context = new, .progress = feed_on_progress, .trace = options->prints_traces ? feed_on_trace : NULL};
	new->setup = *options->pull.setup;
	new->setup.observer = &new->observer;
	new->pull = options->pull;
	new->pull.setup = &new->setup;
	pthread_mutex_init(&new->mutex, NULL);
	enum status status = open_descriptors(new, error);
	if (status == STATUS_OK)
		status = follow_create(&new->pull, &new->follow, error);
	if (status == STATUS_OK)
		status = start_thread(new, error);
	if (status != STATUS_OK) {
		feed_close(new, &ignored);
		return status;
	}
	*feed = new;
	return STATUS_OK;
}

int feed_descriptor(const struct feed *feed)
{
	return feed->ready;
}

void feed_collect(struct feed *feed, struct feed_news *news)
{
	uint64_t count;

	if (read(feed->ready, &count, sizeof count) < 0 && errno != EAGAIN)
		count = 0;
	pthread_mutex_lock(&feed->mutex);
	*news = feed->news;
	feed->news.capture = NULL;
	pthread_mutex_unlock(&feed->mutex);
}

void feed_close(struct feed *feed, struct error *left)
{
	left->message[0] = '\0';
	if (feed == NULL)
		return;
	if (feed->is_running) {
		wake_reader(feed->cancel);
		pthread_join(feed->thread, NULL);
	}
	follow_close(feed->follow, left);
	if (feed->news.capture != NULL)
		capture_close(feed->news.capture);
	pthread_mutex_destroy(&feed->mutex);
	if (feed->ready >= 0)
		close(feed->ready);
	if (feed->cancel >= 0)
		close(feed->cancel);
	free(feed);
}
