/* SPDX-License-Identifier: MIT */
/*
 * A faulty line between a host and a target. It treats all bytes alike, and does not parse frames.
 *
 *	proxy HOST-END [NAME=VALUE]... tcp:PORT
 *	proxy HOST-END [NAME=VALUE]... -- TARGET [ARGUMENT]...
 *
 * HOST-END is opened as in end.h. The target is a TCP port, or a command whose standard streams are on the line.
 *
 *	to-host=FAULT:N,...	faults in the output of the target, each in one byte of N on average
 *	to-target=FAULT:N,...	likewise in the output of the host
 *	seed=N			the seed of the faults
 *	pause=MS		duration of a stall or a cut (default 100)
 *	cut=BYTES		unplugs the host's end for a pause each time BYTES have reached it,
 *	cuts=N			at most N times (default 1)
 *	record=FILE		writes the bytes that reached the host
 *	counts=FILE		writes the counts at the end, see below
 *
 * FAULT is drop, duplicate, flip, insert, text or stall. Counts are lines `DIRECTION FAULT N` for each fault, and
 * `DIRECTION bytes N` for the input.
 *
 * Exits when the target has gone and all its bytes were delivered, or on SIGTERM.
 */
#include "../options/options.h"
#include "../random.h"
#include "end.h"
#include "faults.h"
#include "line.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MILLISECOND 1000000u
#define PIECE       256

struct flow {
	const char *name;
	struct end *from, *to;
	struct faults faults;
	uint8_t taken[PIECE]; /* input */
	size_t taken_first, taken_count;
	uint8_t queue[PIECE * 2]; /* output, after the faults */
	size_t first, count;
	uint64_t bytes;  /* of input in all */
	bool will_stall; /* once the queue is empty */
	uint64_t stalled_until;
	bool is_finished;
};

struct proxy {
	struct end host, target;
	struct flow to_host, to_target;
	uint64_t pause, cut, cuts, seed;
	uint64_t through; /* bytes delivered to the host since it was last plugged in */
	uint64_t plug_at; /* 0: the host's end is plugged in */
	FILE *record;
	const char *counts;
};

/* --- Bytes */

static bool has_bytes(const struct flow *flow)
{
	return flow->count > 0 || flow->taken_count > 0;
}

static bool is_stalled(const struct flow *flow)
{
	return flow->stalled_until > line_clock();
}

static void take(struct flow *flow)
{
	if (flow->taken_count > 0)
		return;
	flow->taken_first = 0;
	flow->taken_count = end_read(flow->from, flow->taken, sizeof flow->taken);
	flow->bytes += flow->taken_count;
}

/* Fills the queue from the input, up to a stall. */
static void advance(struct flow *flow)
{
	flow->first = 0;
	while (flow->taken_count > 0 && !flow->will_stall && flow->count + FAULT_BYTES_MAX <= sizeof flow->queue) {
		flow->count += faults_apply(&flow->faults, flow->taken[flow->taken_first], flow->queue + flow->count,
		                            &flow->will_stall);
		flow->taken_first++;
		flow->taken_count--;
	}
}

/* The number of queued bytes that may pass before the host's end is unplugged. */
static size_t allowance(const struct proxy *proxy, const struct flow *flow)
{
	if (flow != &proxy->to_host || proxy->cut == 0 || proxy->cuts == 0)
		return flow->count;
	const uint64_t left = proxy->cut - proxy->through;
	return left < flow->count ? (size_t)left : flow->count;
}

static void note_through(struct proxy *proxy, const struct flow *flow, size_t size)
{
	if (flow != &proxy->to_host || !end_is_attended(&proxy->host))
		return;
	proxy->through += size;
	if (proxy->record != NULL)
		fwrite(flow->queue + flow->first, 1, size, proxy->record);
}

/* Passes on the queue; returns whether it is empty. */
static bool drain(struct proxy *proxy, struct flow *flow)
{
	const size_t size = end_write(flow->to, flow->queue + flow->first, allowance(proxy, flow));

	note_through(proxy, flow, size);
	flow->first += size;
	flow->count -= size;
	return flow->count == 0;
}

/* Passes on bytes until there is no more input, no room for output, or a stall. */
static void pass(struct proxy *proxy, struct flow *flow)
{
	while (!is_stalled(flow)) {
		if (flow->count == 0) {
			take(flow);
			advance(flow);
		}
		if (flow->count > 0 && !drain(proxy, flow))
			return;
		if (flow->will_stall)
			flow->stalled_until = line_clock() + proxy->pause * MILLISECOND;
		else if (flow->taken_count == 0)
			return;
		flow->will_stall = false;
	}
}

/* Passes on the end-of-file of a host on standard input. */
static void finish(struct flow *flow)
{
	if (flow->is_finished || !flow->from->is_over || has_bytes(flow))
		return;
	end_finish(flow->to);
	flow->is_finished = true;
}

/* --- The host's plug */

static void cut(struct proxy *proxy)
{
	end_unplug(&proxy->host);
	proxy->plug_at = line_clock() + proxy->pause * MILLISECOND;
	proxy->through = 0;
	proxy->cuts--;
}

/* --- The main loop */

static uint64_t next_due(const struct proxy *proxy)
{
	uint64_t due = proxy->plug_at != 0 ? proxy->plug_at : UINT64_MAX;

	if (is_stalled(&proxy->to_host))
		due = earlier(due, proxy->to_host.stalled_until);
	if (is_stalled(&proxy->to_target))
		due = earlier(due, proxy->to_target.stalled_until);
	return due;
}

static void wait_for_more(struct proxy *proxy)
{
	struct pollfd entries[2 * END_ENTRIES];
	const struct flow *to_host = &proxy->to_host, *to_target = &proxy->to_target;

	end_entries(&proxy->host, !has_bytes(to_target) && !is_stalled(to_target),
	            to_host->count > 0 && !is_stalled(to_host), entries);
	end_entries(&proxy->target, !has_bytes(to_host) && !is_stalled(to_host),
	            to_target->count > 0 && !is_stalled(to_target), entries + END_ENTRIES);
	end_wait(entries, 2 * END_ENTRIES, next_due(proxy), proxy->host.is_away);
}

static void run(struct proxy *proxy)
{
	while (!termination_is_requested && (!proxy->target.is_over || has_bytes(&proxy->to_host))) {
		wait_for_more(proxy);
		if (proxy->plug_at != 0 && line_clock() >= proxy->plug_at) {
			end_plug(&proxy->host);
			proxy->plug_at = 0;
		}
		end_attend(&proxy->host);
		pass(proxy, &proxy->to_target);
		pass(proxy, &proxy->to_host);
		finish(&proxy->to_target);
		if (proxy->cut != 0 && proxy->cuts > 0 && proxy->through >= proxy->cut)
			cut(proxy);
	}
}

static void write_counts_of(FILE *file, const struct flow *flow)
{
	for (unsigned kind = 0; kind < FAULT_KINDS; kind++)
		fprintf(file, "%s %s %" PRIu64 "\n", flow->name, fault_names[kind], flow->faults.count[kind]);
	fprintf(file, "%s bytes %" PRIu64 "\n", flow->name, flow->bytes);
}

static void write_counts(const struct proxy *proxy)
{
	FILE *file = proxy->counts != NULL ? fopen(proxy->counts, "w") : NULL;

	if (file == NULL)
		return;
	write_counts_of(file, &proxy->to_host);
	write_counts_of(file, &proxy->to_target);
	fclose(file);
}

/* --- Arguments */

static void complain(const char *word)
{
	fprintf(stderr, "proxy: %s is not an option\n", word);
	exit(2);
}

static void open_record(struct proxy *proxy, const char *path)
{
	proxy->record = fopen(path, "wb");
	if (proxy->record == NULL)
		complain(path);
}

/* Returns the words after the options, which name the target. */
static char **read_options(struct proxy *proxy, char **words)
{
	const char *to_host = "", *to_target = "", *record = NULL;
	const struct option_row rows[] = {
	        {"seed", OPTION_NUMBER, &proxy->seed}, {"pause", OPTION_NUMBER, &proxy->pause},
	        {"cut", OPTION_NUMBER, &proxy->cut},   {"cuts", OPTION_NUMBER, &proxy->cuts},
	        {"to-host", OPTION_TEXT, &to_host},    {"to-target", OPTION_TEXT, &to_target},
	        {"record", OPTION_TEXT, &record},      {"counts", OPTION_TEXT, &proxy->counts},
	};

	for (; *words != NULL && strcmp(*words, "--") != 0 && strncmp(*words, "tcp:", 4) != 0; words++)
		if (!options_set(rows, sizeof rows / sizeof *rows, *words))
			complain(*words);
	if (*words == NULL || (strcmp(*words, "--") == 0 && words[1] == NULL))
		complain("a line without a target");
	if (!faults_parse(&proxy->to_host.faults, to_host))
		complain(to_host);
	if (!faults_parse(&proxy->to_target.faults, to_target))
		complain(to_target);
	if (record != NULL)
		open_record(proxy, record);
	return words;
}

int main(int count, char **words)
{
	static struct proxy proxy = {.pause = 100, .cuts = 1};

	if (count < 3)
		complain("nothing");
	proxy.to_host = (struct flow){.name = "to-host", .from = &proxy.target, .to = &proxy.host};
	proxy.to_target = (struct flow){.name = "to-target", .from = &proxy.host, .to = &proxy.target};
	char **target = read_options(&proxy, words + 2);
	proxy.to_host.faults.random = random_state_of((uint32_t)proxy.seed);
	proxy.to_target.faults.random = random_state_of((uint32_t)~proxy.seed);
	if (strcmp(*target, "--") == 0)
		end_spawn(&proxy.target, target + 1);
	else
		end_open(&proxy.target, *target);
	end_catch_signals();
	end_open(&proxy.host, words[1]);
	run(&proxy);
	end_close(&proxy.target);
	write_counts(&proxy);
	if (proxy.record != NULL)
		fclose(proxy.record);
	return 0;
}
