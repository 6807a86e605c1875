/* SPDX-License-Identifier: MIT */
/* See pull_summary.h. */
#include "command/pull_summary.h"

#include "acquire/pull/identity.h"
#include "base/text/text.h"
#include "command/traffic.h"

#include <bareprof/block.h>
#include <inttypes.h>
#include <stdio.h>

static void print_pulled_block(const struct pull_options *options, const struct pull_summary *summary, size_t index)
{
	char size[TEXT_COUNT_SIZE], ticks[TEXT_COUNT_SIZE];

	fprintf(stderr, "pulled %s bytes at 0x%08" PRIx64 " from ",
	        text_format_count(summary->blocks[index].size, size), summary->blocks[index].address);
	text_print(stderr, options->source->text);
	fprintf(stderr, ": %s ticks, %s%s\n", text_format_count(summary->blocks[index].ticks, ticks),
	        capture_state_name(summary->blocks[index].state), identity_remark(summary->identity));
}

/* Counts of a running profile are not from one moment, so this prints how to stop it. For a dump, it is unknown how
 * long taking it took. */
static void print_running(const struct pull_options *options, const struct pull_summary *summary)
{
	const struct target_ops *backend = options->source->backend;
	char count[TEXT_COUNT_SIZE];
	uint64_t ticks = 0;
	bool is_running = false;

	for (size_t i = 0; i < summary->block_count; i++) {
		is_running |= summary->blocks[i].state == BAREPROF_STATE_RUNNING;
		ticks += summary->blocks[i].ticks_passed;
	}
	if (!is_running || (backend->is_live && ticks == 0))
		return;
	fputs("note: the profile was not stopped", stderr);
	if (backend->is_live)
		fprintf(stderr, ", %s ticks passed while it was read", text_format_count(ticks, count));
	fprintf(stderr, "; %s at rest\n", backend->write != NULL ? "--stop takes it" : "after bareprof_stop() it is");
}

/* The request that a reset of the target undid. */
static const char *undone_by_reset(const struct pull_options *options)
{
	if (options->start)
		return "undid --start";
	return options->arm != NULL ? "undid --arm" : "stopped the profile";
}

static void print_disruption(const struct pull_options *options, enum disruption disruption)
{
	static const struct {
		const char *what;
		bool is_undoing;
		const char *counts;
	} notes[DISRUPTION_COUNT] = {
	        [DISRUPTION_REQUESTED] = {"the target was reset as asked and kept its counts", false,
	                                  "--reset clears them"},
	        [DISRUPTION_CLEARED] = {"the firmware cleared the counts during the wait", false,
	                                "they cover the time since then"},
	        [DISRUPTION_RESET] = {"the target was reset during the wait", false,
	                              "the counts cover the time before it and after the profile was started again"},
	        [DISRUPTION_RESET_STOPPED] = {"the target was reset during the wait", true,
	                                      "the counts cover the time before it; pull again for more"},
	        [DISRUPTION_LOST] = {"the target was reset during the wait and lost its memory", false,
	                             "the counts cover the time since then"},
	        [DISRUPTION_LOST_STOPPED] = {"the target was reset during the wait and lost its memory", true,
	                                     "nothing was counted since; pull again"},
	};

	if (disruption == DISRUPTION_NONE)
		return;
	fprintf(stderr, "note: %s%s%s: %s\n", notes[disruption].what, notes[disruption].is_undoing ? ", which " : "",
	        notes[disruption].is_undoing ? undone_by_reset(options) : "", notes[disruption].counts);
}

/* Warns about blocks with contents that no recorder writes. */
static void print_damage(const struct pull_summary *summary)
{
	bool is_shut = false;

	for (size_t i = 0; i < summary->block_count; i++)
		is_shut |= !capture_state_is_valid(summary->blocks[i].state);
	if (is_shut)
		fputs("note: the state of the block is not valid, so its recorder counts nothing: has bareprof_init() "
		      "run since the target was reset, and does nothing else write there?\n",
		      stderr);
	if (summary->is_contradictory)
		fputs("note: samples and ticks do not add up: was the target reset while it was read? Pull again; if "
		      "this remains, something else writes to the block\n",
		      stderr);
}

void pull_print_summary(const struct pull_options *options, const struct pull_summary *summary)
{
	for (size_t i = 0; i < summary->block_count; i++)
		print_pulled_block(options, summary, i);
	traffic_print(stderr, &summary->traffic);
	if (summary->uninitialised > 0)
		fprintf(stderr, "%zu more cores have no block: bareprof_init() has not run there\n",
		        summary->uninitialised);
	print_disruption(options, summary->disruption);
	print_damage(summary);
	print_running(options, summary);
	if (summary->caution != NULL)
		fprintf(stderr, "note: %s\n", summary->caution);
}

/* Prints one line for all cores. */
static void print_capture_line(const char *path, const struct pull_summary *summary)
{
	char count[TEXT_COUNT_SIZE], passed_count[TEXT_COUNT_SIZE];
	uint32_t state = summary->blocks[0].state;
	uint64_t ticks = 0, passed = 0;

	for (size_t i = 0; i < summary->block_count; i++) {
		ticks += summary->blocks[i].ticks;
		passed += summary->blocks[i].ticks_passed;
		if (summary->blocks[i].state == BAREPROF_STATE_RUNNING)
			state = BAREPROF_STATE_RUNNING;
	}
	text_print(stderr, path);
	fprintf(stderr, ": %s ticks, %s%s", text_format_count(ticks, count), capture_state_name(state),
	        identity_remark(summary->identity));
	if (state == BAREPROF_STATE_RUNNING)
		fprintf(stderr, ", %s ticks passed while it was read", text_format_count(passed, passed_count));
	fputc('\n', stderr);
}

void pull_print_capture(const struct pull_options *options, const char *path, const struct pull_summary *summary)
{
	print_capture_line(path, summary);
	print_disruption(options, summary->disruption);
	print_damage(summary);
}

void pull_print_captures(const struct watch_summary *summary)
{
	char count[TEXT_COUNT_SIZE];

	fprintf(stderr, "%s capture%s taken", text_format_count(summary->taken, count), summary->taken == 1 ? "" : "s");
	if (summary->failed > 0)
		fprintf(stderr, ", %s failed", text_format_count(summary->failed, count));
	if (summary->remains != NULL)
		fprintf(stderr, "; %s, --stop stops it", summary->remains);
	fputc('\n', stderr);
}
