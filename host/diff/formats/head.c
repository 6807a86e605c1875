/* SPDX-License-Identifier: MIT */
/* See head.h. Each kind of line is a row of a table. */
#include "diff/formats/head.h"

#include "base/text/text.h"
#include "diff/formats/format.h"
#include "firmware/identity.h"
#include "profile/losses.h"
#include "profile/measurement.h"
#include "report/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Shared bins and granules are mentioned from this part of the samples on. */
#define SHARED_PART 0.01
#define ID_DIGITS   8

/* The data for the lines. */
struct facts {
	const struct comparison *comparison;
	const struct notes *notes;
	const struct diff_output_options *options;
	enum build build; /* build of the line, if it concerns one */
};

static bool write_build(const struct facts *facts, FILE *stream)
{
	const struct compare_build *build = &facts->comparison->builds[facts->build];
	char samples[TEXT_COUNT_SIZE], id[IMAGE_BUILD_ID_TEXT_SIZE];

	fprintf(stream, "%s: ", facts->options->labels[facts->build]);
	if (build->image->build_id_size > 0)
		fprintf(stream, "build %.*s, ", ID_DIGITS, image_format_build_id(build->image, id));
	fprintf(stream, "%zu capture%s, %s samples", build->capture_count, build->capture_count == 1 ? "" : "s",
	        text_format_count(profile_count_of(build->samples), samples));
	if (facts->comparison->time_unit == PROFILE_SECONDS)
		fprintf(stream, ", %.4f s", build->time);
	if (build->recorder_time > 0)
		fprintf(stream, ", %.1f %% of it in the recorder", 100 * build->recorder_time / build->time);
	return true;
}

static void write_shares(const struct comparison *comparison, FILE *stream)
{
	fprintf(stream, "%.1f %% and %.1f %% of the time", 100 * comparison->unit_shares[BUILD_OLD],
	        100 * comparison->unit_shares[BUILD_NEW]);
}

static void write_calls_of_work(const struct facts *facts, FILE *stream)
{
	const struct comparison *comparison = facts->comparison;
	char old[TEXT_COUNT_SIZE], new[TEXT_COUNT_SIZE];

	fprintf(stream, " of %s: %s calls and %s", notes_name(facts->notes, comparison->unit_row),
	        text_format_count(profile_count_of(comparison->builds[BUILD_OLD].work), old),
	        text_format_count(profile_count_of(comparison->builds[BUILD_NEW].work), new));
	fputs(", ", stream);
	write_shares(comparison, stream);
}

/* The reason why no function is the unit. */
static void write_rejected(const struct facts *facts, FILE *stream)
{
	const struct comparison *comparison = facts->comparison;

	if (comparison->lacks_calls) {
		fputs("; chosen: no calls were counted in some build; counting them needs -pg", stream);
		return;
	}
	if (comparison->rejected_row == PAIRING_NONE) {
		fputs("; chosen: no common root is called more than once", stream);
	} else {
		fprintf(stream, "; chosen: no common root accounts for %.0f %% of the time in each build, %s has ",
		        100 * COMPARE_UNIT_SHARE_MIN, notes_name(facts->notes, comparison->rejected_row));
		write_shares(comparison, stream);
	}
	fprintf(stream, "; %s", facts->options->hints[HINT_SELECT_UNIT]);
}

static void write_runs(const struct facts *facts, FILE *stream)
{
	const struct compare_build *builds = facts->comparison->builds;

	fprintf(stream, ": %zu and %zu", builds[BUILD_OLD].capture_count, builds[BUILD_NEW].capture_count);
}

static void write_equal_functions(const struct facts *facts, FILE *stream)
{
	const struct comparison *comparison = facts->comparison;

	fprintf(stream, "; chosen: %zu of %zu functions are called equally often in all captures; %s",
	        comparison->equal_count, comparison->called_count, facts->options->hints[HINT_SELECT_UNIT]);
}

static void write_chosen_root(const struct facts *facts, FILE *stream)
{
	fprintf(stream, "; chosen: %s; %s",
	        facts->comparison->is_unit_possible ? "with its cycle, it could account for half of the time or more"
	                                            : "the most-called common root",
	        facts->options->hints[HINT_SELECT_UNIT]);
}

static void write_time_of_work(const struct facts *facts, FILE *stream)
{
	fprintf(stream, "%s outside the recorder",
	        facts->comparison->unit == COMPARE_PER_SECOND ? " of sampled time" : "");
}

typedef void write_part(const struct facts *facts, FILE *stream);

/* Indexed by unit of work: text about how much work was done, and why the unit was chosen. */
static const struct {
	write_part *amount, *reason;
} units[] = {
        [COMPARE_PER_CALL] = {write_calls_of_work, write_chosen_root},
        [COMPARE_PER_RUN] = {write_runs, write_equal_functions},
        [COMPARE_PER_SECOND] = {write_time_of_work, write_rejected},
        [COMPARE_PER_SAMPLE] = {write_time_of_work, write_rejected},
};

static bool write_work(const struct facts *facts, FILE *stream)
{
	const struct comparison *comparison = facts->comparison;

	fputs(format_unit_of_work(comparison), stream);
	units[comparison->unit].amount(facts, stream);
	if (comparison->is_unit_chosen)
		units[comparison->unit].reason(facts, stream);
	return true;
}

static bool write_changes(const struct facts *facts, FILE *stream)
{
	const struct comparison *comparison = facts->comparison;

	if (comparison->min_change > 0)
		fprintf(stream, "of %.4g %% or more", 100 * comparison->min_change);
	else
		fputs("of any size", stream);
	fprintf(stream, "; on average at most %.4g %% of them are false; intervals have %.4g %% confidence",
	        100 * (1 - comparison->confidence), 100 * comparison->confidence);
	return true;
}

static bool warn_of_spread(const struct facts *facts, FILE *stream)
{
	const bool *is_known = facts->comparison->has_spread;

	if (is_known[BUILD_OLD] && is_known[BUILD_NEW])
		return false;
	if (!is_known[BUILD_OLD] && !is_known[BUILD_NEW])
		fprintf(stream, "run-to-run variation is unknown, with one capture per build: times are compared by "
		                "counting statistics only, calls only as whole numbers per unit of work");
	else
		fprintf(stream,
		        "run-to-run variation of the %s build is unknown, with one capture: its times have counting "
		        "statistics only, and calls are compared only as whole numbers per unit of work",
		        is_known[BUILD_OLD] ? "new" : "old");
	return true;
}

static bool warn_of_totals(const struct facts *facts, FILE *stream)
{
	fprintf(stream, "errors of total times were not estimated, so no total time is reported as changed");
	return !facts->comparison->has_total_errors;
}

static bool warn_of_identity(const struct facts *facts, FILE *stream)
{
	const struct profile *profile = facts->comparison->builds[facts->build].profile;

	fprintf(stream, "%s: %s", facts->options->labels[facts->build], profile_identity_text(profile));
	return profile->identity != PROFILE_IDENTITY_SAME;
}

static bool warn_of_no_calls(const struct facts *facts, FILE *stream)
{
	fprintf(stream, "%s: no calls were recorded, so total times do not include callees",
	        facts->options->labels[facts->build]);
	return facts->comparison->builds[facts->build].profile->arc_count == 0;
}

static const struct profile_measurement *measurement_of_build(const struct facts *facts, enum build build)
{
	return facts->comparison->builds[build].profile->measurement;
}

static bool write_stacks(const struct facts *facts, FILE *stream)
{
	const struct profile_measurement *old = measurement_of_build(facts, BUILD_OLD),
	                                 *new = measurement_of_build(facts, BUILD_NEW);
	char olds[TEXT_COUNT_SIZE], news[TEXT_COUNT_SIZE];

	if (old == NULL || new == NULL)
		return false;
	fprintf(stream, "total times are measured from %s stacks and %s", text_format_count(old->stack_count, olds),
	        text_format_count(new->stack_count, news));
	return true;
}

static bool warn_of_stacks(const struct facts *facts, FILE *stream)
{
	bool is_old = measurement_of_build(facts, BUILD_OLD) != NULL,
	     is_new = measurement_of_build(facts, BUILD_NEW) != NULL;

	fprintf(stream,
	        "only the captures of the %s build have stacks, so total times are not compared with the other "
	        "build's estimates",
	        is_old ? "old" : "new");
	return is_old != is_new;
}

/* Warns from this share of stacks without outer callers on, as the report does. */
#define HIDDEN_PERCENT 1.0

static double hidden_percent(const struct profile_measurement *measurement)
{
	uint64_t hidden = measurement->stack_count - report_count_complete_stacks(measurement);

	return report_percent((double)hidden, (double)measurement->stack_count);
}

static bool warn_of_hidden_callers(const struct facts *facts, FILE *stream)
{
	const struct profile_measurement *old = measurement_of_build(facts, BUILD_OLD),
	                                 *new = measurement_of_build(facts, BUILD_NEW);

	if (old == NULL || new == NULL)
		return false;
	fprintf(stream,
	        "%.0f %% of the old stacks and %.0f %% of the new ones end early, so total times of outer functions "
	        "are too small, and may seem to have changed: bareprof report says why",
	        hidden_percent(old), hidden_percent(new));
	return fmax(hidden_percent(old), hidden_percent(new)) >= HIDDEN_PERCENT;
}

/* The builds for which something is true. */
static const char *builds_text(bool is_old, bool is_new)
{
	return is_old && is_new ? "both builds were" : is_old ? "the old build was" : "the new build was";
}

static enum capture_distances distances_in_build(const struct facts *facts, enum build build)
{
	return profile_distances(facts->comparison->builds[build].profile);
}

static bool warn_of_fixed_distances(const struct facts *facts, FILE *stream)
{
	bool is_old = distances_in_build(facts, BUILD_OLD) == CAPTURE_DISTANCES_FIXED;
	bool is_new = distances_in_build(facts, BUILD_NEW) == CAPTURE_DISTANCES_FIXED;

	fprintf(stream,
	        "%s sampled at fixed intervals: changes of times are valid only for work that does not repeat in step "
	        "with the samples; sample with BAREPROF_TIMER_ISR and a period of at least 512",
	        builds_text(is_old, is_new));
	return is_old || is_new;
}

/* The facts about sampling that the captures do not record. */
static bool write_unknown(const struct facts *facts, FILE *stream)
{
	bool is_old = distances_in_build(facts, BUILD_OLD) == CAPTURE_DISTANCES_UNKNOWN;
	bool is_new = distances_in_build(facts, BUILD_NEW) == CAPTURE_DISTANCES_UNKNOWN;
	bool has_begun = facts->comparison->ignores_handler;

	if (has_begun)
		fputs("the time of the sampling interrupt: times outside <bareprof> include it in both builds", stream);
	if (is_old || is_new)
		fprintf(stream, "%swhether %s sampled at fixed intervals", has_begun ? "; " : "",
		        builds_text(is_old, is_new));
	return has_begun || is_old || is_new;
}

static bool write_loss(FILE *stream, bool has_begun, uint64_t count, const char *text)
{
	char number[TEXT_COUNT_SIZE];

	if (count > 0)
		fprintf(stream, "%s%s %s", has_begun ? ", " : "", text_format_count(count, number), text);
	return has_begun || count > 0;
}

static bool write_losses(const struct facts *facts, FILE *stream)
{
	const struct profile_losses *losses = &facts->comparison->builds[facts->build].profile->losses;
	bool has_begun = false;

	for (enum profile_loss loss = 0; loss < PROFILE_LOSSES; loss++)
		if (loss != PROFILE_LOSS_SHARED)
			has_begun = write_loss(stream, has_begun, profile_loss_count(losses, loss),
			                       profile_loss_text(loss));
	has_begun = write_loss(stream, has_begun, losses->skew, "ticks while the block was read");
	has_begun = write_loss(stream, has_begun, losses->sections_skipped, "sections of a later format");
	return write_loss(stream, has_begun, losses->resets, "warm resets during the profile");
}

/* Not a loss: each sample is counted, though perhaps for the wrong function. */
static bool write_shared(const struct facts *facts, FILE *stream)
{
	static const char *const labels[BUILD_COUNT] = {[BUILD_OLD] = "old", [BUILD_NEW] = "new"};
	bool has_begun = false;

	for (enum build build = 0; build < BUILD_COUNT; build++) {
		const struct profile *profile = facts->comparison->builds[build].profile;
		uint64_t shared = profile->losses.samples_shared;
		char count[TEXT_COUNT_SIZE];

		if (shared == 0 || (double)shared < SHARED_PART * profile->total_samples)
			continue;
		fprintf(stream, "%s%s: %s", has_begun ? ", " : "", labels[build], text_format_count(shared, count));
		has_begun = true;
	}
	fprintf(stream, " %s", profile_loss_text(PROFILE_LOSS_SHARED));
	return has_begun;
}

/* Without build-ids the code is compared; constants may still differ. */
static bool note_same_build(const struct facts *facts, FILE *stream)
{
	const struct image *old = facts->comparison->builds[BUILD_OLD].image;
	const struct image *new = facts->comparison->builds[BUILD_NEW].image;

	if (old->build_id_size > 0 && new->build_id_size > 0) {
		fprintf(stream, "both builds have the same build-id: changes are differences between runs");
		return old->build_id_size ==
		       new->build_id_size &&memcmp(old->build_id, new->build_id, old->build_id_size) == 0;
	}
	fprintf(stream, "both builds have the same code: changes are differences between runs or in data");
	return image_code_crc(old) == image_code_crc(new);
}

static const struct {
	const char *label;
	bool (*write)(const struct facts *facts, FILE *stream); /* false: there is no such line */
	enum build build;
	bool is_warning;
} kinds[HEAD_LINES_MAX] = {
        {.label = "Old", .write = write_build, .build = BUILD_OLD},
        {.label = "New", .write = write_build, .build = BUILD_NEW},
        {.label = "Work", .write = write_work},
        {.label = "Changes", .write = write_changes},
        {.label = "Stacks", .write = write_stacks},
        {.label = "Note", .write = note_same_build, .is_warning = true},
        {.label = "Warning", .write = warn_of_identity, .build = BUILD_OLD, .is_warning = true},
        {.label = "Warning", .write = warn_of_identity, .build = BUILD_NEW, .is_warning = true},
        {.label = "Warning", .write = warn_of_no_calls, .build = BUILD_OLD, .is_warning = true},
        {.label = "Warning", .write = warn_of_no_calls, .build = BUILD_NEW, .is_warning = true},
        {.label = "Warning", .write = warn_of_stacks, .is_warning = true},
        {.label = "Warning", .write = warn_of_hidden_callers, .is_warning = true},
        {.label = "Warning", .write = warn_of_spread, .is_warning = true},
        {.label = "Warning", .write = warn_of_totals, .is_warning = true},
        {.label = "Warning", .write = warn_of_fixed_distances, .is_warning = true},
        {.label = "Old lost", .write = write_losses, .build = BUILD_OLD, .is_warning = true},
        {.label = "New lost", .write = write_losses, .build = BUILD_NEW, .is_warning = true},
        {.label = "Shared", .write = write_shared, .is_warning = true},
        {.label = "Unknown", .write = write_unknown},
};

static bool add_head_line(struct diff_head *head, const struct facts *facts, size_t kind)
{
	struct head_line *line = &head->lines[head->count];
	size_t length = 0;

	*line = (struct head_line){.label = kinds[kind].label, .is_warning = kinds[kind].is_warning};
	FILE *stream = open_memstream(&line->text, &length);
	if (stream == NULL)
		return false;
	bool is_there = kinds[kind].write(facts, stream);
	bool is_written = fclose(stream) == 0;
	if (is_there && is_written)
		head->count++;
	else
		free(line->text);
	return is_written;
}

enum status head_create(const struct comparison *comparison, const struct notes *notes,
                        const struct diff_output_options *options, struct diff_head *head, struct error *error)
{
	head->count = 0;
	for (size_t kind = 0; kind < HEAD_LINES_MAX; kind++) {
		const struct facts facts = {comparison, notes, options, kinds[kind].build};

		if (!add_head_line(head, &facts, kind))
			return status_fail(error, "out of memory for the head of a comparison");
	}
	return STATUS_OK;
}

void head_free(struct diff_head *head)
{
	for (size_t i = 0; i < head->count; i++)
		free(head->lines[i].text);
	head->count = 0;
}
