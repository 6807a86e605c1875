/* SPDX-License-Identifier: MIT */
/* See header.h. */
#include "top/header.h"

#include "base/text/text.h"
#include "profile/losses.h"
#include "profile/measurement.h"

#include <bareprof/block.h>

/* How long an event stays on the line. */
#define EVENT_MILLISECONDS 10000u

static double seconds_since(uint64_t then, uint64_t now)
{
	return now > then ? (double)(now - then) / 1000 : 0;
}

static const struct capture_header *first_header(const struct top_picture *picture, enum top_window window)
{
	const struct capture *capture = picture->captures[window];

	return capture != NULL && capture->block_count > 0 ? &capture->blocks[0].header : NULL;
}

/* True if no block had a tick in the last interval. */
static bool has_no_ticks(const struct top_picture *picture)
{
	const struct capture *interval = picture->captures[TOP_INTERVAL];
	uint64_t ticks = 0;

	for (size_t i = 0; interval != NULL && i < interval->block_count; i++)
		ticks |= interval->blocks[i].header.ticks;
	return interval != NULL && ticks == 0;
}

static bool print_failure(const struct top_model *model, uint64_t now, FILE *stream)
{
	const struct feed_news *news = &model->news;

	fprintf(stream, "no capture for %.0f s: ", seconds_since(news->failing_since, now));
	text_print(stream, news->failure.message);
	fprintf(stream, "; next try in %.0f s", seconds_since(now, news->next_try));
	return true;
}

static void print_event(const struct top_model *model, uint64_t now, FILE *stream)
{
	static const char *const names[] = {[TOP_CONNECTED] = "connected again",
	                                    [TOP_CLEARED] = "profile cleared",
	                                    [TOP_RESET_KEPT] = "target reset",
	                                    [TOP_RESET] = "target reset",
	                                    [TOP_RELOADED] = "ELF read again"};
	const struct capture_header *header = first_header(model->latest, TOP_SINCE_START);
	char ticks[TEXT_COUNT_SIZE];

	if (model->event == TOP_NO_EVENT || now > model->event_time + EVENT_MILLISECONDS)
		return;
	fprintf(stream, "; %s %.0f s ago", names[model->event], seconds_since(model->event_time, now));
	if (model->event == TOP_RESET_KEPT)
		fputs(", counts continue", stream);
	else if ((model->event == TOP_RESET || model->event == TOP_CLEARED) && header != NULL)
		fprintf(stream, ", %s ticks so far", text_format_count(header->ticks, ticks));
}

static bool print_run_state(const struct top_model *model, uint64_t now, FILE *stream)
{
	const struct top_picture *picture = model->latest;
	const struct capture_header *header = first_header(picture, TOP_SINCE_START);
	const bool is_running = header != NULL && header->state == BAREPROF_STATE_RUNNING;

	fprintf(stream, "%s, pulled %.1f s ago", header != NULL ? capture_state_name(header->state) : "no block",
	        seconds_since(picture->taken, now));
	print_event(model, now, stream);
	if (!is_running)
		fputs("; nothing is counted until the profile runs", stream);
	else if (has_no_ticks(picture))
		fputs("; no ticks in the last interval: is the core halted or asleep?", stream);
	return !is_running || has_no_ticks(picture);
}

static bool print_problem(const char *before, const struct error *problem, FILE *stream)
{
	if (problem->message[0] == '\0')
		return false;
	fputs(before, stream);
	text_print(stream, problem->message);
	return true;
}

bool top_print_state(const struct top_model *model, uint64_t now, FILE *stream)
{
	const struct feed_news *news = &model->news;

	fputs("Target    ", stream);
	if (news->is_failing)
		return print_failure(model, now, stream);
	if (model->problem.message[0] != '\0')
		return print_problem("capture not used: ", &model->problem, stream);
	bool is_warning = print_run_state(model, now, stream);
	is_warning |= print_problem("; the changed ELF is not used: ", &news->elf_problem, stream);
	if (news->total > 0 && news->done < news->total)
		fprintf(stream, "; reading, %.0f %%", 100 * (double)news->done / (double)news->total);
	return is_warning;
}

/* Prints the number of stacks, the basis of total times; false if the target keeps no stacks. */
static bool print_stack_count(const struct profile *profile, FILE *stream)
{
	uint64_t count = profile->measurement != NULL ? profile->measurement->stack_count : 0;
	bool has_store = count > 0;
	char text[TEXT_COUNT_SIZE];

	for (size_t i = 0; i < profile->block_count; i++)
		has_store |= profile->blocks[i]->slice_capacity > 0 || profile->blocks[i]->path_node_capacity > 0;
	if (has_store)
		fprintf(stream, ", %s stack%s", count > 0 ? text_format_count(count, text) : "no",
		        count == 1 ? "" : "s");
	return has_store;
}

bool top_print_window(const struct top_picture *picture, enum top_window window, const struct profile *profile,
                      FILE *stream)
{
	const uint64_t milliseconds = picture->milliseconds > 0 ? picture->milliseconds : 1;
	char samples[TEXT_COUNT_SIZE], rate[TEXT_COUNT_SIZE];

	text_format_count(profile_count_of(profile->total_samples), samples);
	if (window == TOP_SINCE_START)
		fprintf(stream, "Start     %s samples since the start", samples);
	else
		fprintf(stream, "Interval  %.2f s: %s samples", (double)picture->milliseconds / 1000, samples);
	/* On a terminal of 80 columns the end of the line may be cut, and a cut number would be wrong. So the rate is
	 * omitted if stacks are printed. */
	if (!print_stack_count(profile, stream) && window != TOP_SINCE_START)
		fprintf(stream, " (%s/s)",
		        text_format_count((uint64_t)(profile->total_samples * 1000 / (double)milliseconds), rate));
	if (profile_knows_recorder(profile) && profile->total_time > 0)
		fprintf(stream, ", recorder %.2f %%", 100 * profile_recorder_time(profile) / profile->total_time);
	if (profile->time_unit == PROFILE_SECONDS)
		fprintf(stream, ", %.3f s of target time", profile->total_time);
	return false;
}

/* Shared samples are covered by the errors, and calls in flight are in the next capture. */
static bool is_loss(enum profile_loss loss)
{
	return loss != PROFILE_LOSS_SHARED && loss != PROFILE_LOSS_IN_FLIGHT;
}

static bool is_known_loss(const struct profile_losses *losses, enum profile_loss loss)
{
	return loss != PROFILE_LOSS_MISSED || losses->ticks_missed_known;
}

static bool is_contradictory(const struct profile *profile)
{
	for (size_t i = 0; i < profile->block_count; i++)
		if (capture_sum_samples(profile->blocks[i]).balance == CAPTURE_DOES_NOT_ADD_UP)
			return true;
	return false;
}

bool top_print_losses(const struct profile *profile, FILE *stream)
{
	const struct profile_losses *losses = &profile->losses;
	const char *before = "";
	char text[TEXT_COUNT_SIZE];

	fputs("Losses    ", stream);
	for (enum profile_loss loss = 0; loss < PROFILE_LOSSES; loss++) {
		const uint64_t count = profile_loss_count(losses, loss);

		if (!is_loss(loss) || count == 0 || !is_known_loss(losses, loss))
			continue;
		fprintf(stream, "%s%s %s", before, text_format_count(count, text), profile_loss_text(loss));
		before = ", ";
	}
	const bool has_losses = before[0] != '\0';
	fputs(has_losses ? "" : "none", stream);
	if (!losses->ticks_missed_known)
		fputs("; missed ticks are unknown", stream);
	if (is_contradictory(profile))
		fputs("; samples and ticks do not add up", stream);
	return has_losses || is_contradictory(profile);
}
