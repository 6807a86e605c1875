/* SPDX-License-Identifier: MIT */
/* See model.h. */
#include "top/model.h"

#include <stdlib.h>

/* An ELF, for as long as a picture shows it. */
struct top_firmware {
	struct image *image;
	struct demangler *demangler;
	unsigned pictures;
};

static void release_firmware(struct top_firmware *firmware)
{
	if (--firmware->pictures > 0)
		return;
	demangler_free(firmware->demangler);
	image_close(firmware->image);
	free(firmware);
}

static enum status open_firmware(const struct top_model *model, struct top_firmware **firmware, struct error *error)
{
	struct top_firmware *new = calloc(1, sizeof *new);

	if (new == NULL)
		return status_no_memory(error, model->elf_path);
	new->pictures = 1;
	enum status status = image_open(model->elf_path, &new->image, error);
	new->demangler = demangler_create(model->style);
	if (status == STATUS_OK && new->demangler == NULL)
		status = status_no_memory(error, model->elf_path);
	if (status == STATUS_OK)
		*firmware = new;
	else
		release_firmware(new);
	return status;
}

static void free_picture(struct top_picture *picture)
{
	if (picture == NULL)
		return;
	for (enum top_window window = 0; window < TOP_WINDOWS; window++) {
		profile_free(picture->profiles[window]);
		capture_close(picture->captures[window]);
	}
	release_firmware(picture->firmware);
	free(picture);
}

/* The firmware of the capture, as one more picture's. */
static enum status find_firmware(const struct top_model *model, unsigned reloads, struct top_firmware **firmware,
                                 struct error *error)
{
	if (model->now == NULL || reloads != model->reloads)
		return open_firmware(model, firmware, error);
	*firmware = model->now->firmware;
	(*firmware)->pictures++;
	return STATUS_OK;
}

static bool add_interval(struct top_picture *picture, const struct top_picture *earlier)
{
	picture->captures[TOP_INTERVAL] =
	        capture_since(picture->captures[TOP_SINCE_START], earlier->captures[TOP_SINCE_START], &picture->course);
	picture->milliseconds = picture->taken - earlier->taken;
	return picture->captures[TOP_INTERVAL] != NULL;
}

/* Makes the next picture, which owns the capture. After a failure the capture is the caller's. */
static enum status make_picture(const struct top_model *model, const struct feed_news *news,
                                struct top_picture **picture, struct error *error)
{
	struct top_picture *new = calloc(1, sizeof *new);
	enum profile_identity identity = PROFILE_IDENTITY_SAME;

	if (new == NULL)
		return status_no_memory(error, model->source);
	enum status status = find_firmware(model, news->reloads, &new->firmware, error);
	if (status != STATUS_OK) {
		free(new);
		return status;
	}
	new->image = new->firmware->image;
	new->demangler = new->firmware->demangler;
	new->taken = news->taken;
	status = analysis_check_capture(new->image, news->capture, model->force, &identity, error);
	new->captures[TOP_SINCE_START] = news->capture;
	if (status == STATUS_OK && model->now != NULL && model->now->firmware == new->firmware &&
	    !add_interval(new, model->now))
		status = status_no_memory(error, model->source);
	if (status == STATUS_OK) {
		*picture = new;
		return STATUS_OK;
	}
	new->captures[TOP_SINCE_START] = NULL;
	free_picture(new);
	return status;
}

static bool was_reset(const struct capture *interval)
{
	uint64_t resets = 0;

	for (size_t i = 0; interval != NULL && i < interval->block_count; i++)
		resets |= interval->blocks[i].header.reset_count;
	return resets != 0;
}

static enum top_event event_of(const struct top_model *model, const struct top_picture *next)
{
	const struct top_picture *now = model->now;

	if (now != NULL && now->firmware != next->firmware)
		return TOP_RELOADED;
	if (next->course != CAPTURE_CONTINUES)
		return next->course == CAPTURE_CLEARED ? TOP_CLEARED : TOP_RESET;
	if (was_reset(next->captures[TOP_INTERVAL]))
		return TOP_RESET_KEPT;
	return model->news.failures != model->failures ? TOP_CONNECTED : TOP_NO_EVENT;
}

static void note_event(struct top_model *model, const struct top_picture *next)
{
	const enum top_event event = event_of(model, next);

	if (event == TOP_NO_EVENT)
		return;
	model->event = event;
	model->event_time = next->taken;
}

static void show(struct top_model *model, struct top_picture *next)
{
	if (model->shown != model->now)
		free_picture(model->now);
	else if (!model->is_frozen)
		free_picture(model->shown);
	model->now = next;
	if (!model->is_frozen)
		model->shown = next;
}

void top_model_add(struct top_model *model, const struct feed_news *news)
{
	struct top_picture *next = NULL;

	model->news = *news;
	model->news.capture = NULL;
	if (news->capture == NULL)
		return;
	if (make_picture(model, news, &next, &model->problem) != STATUS_OK) {
		capture_close(news->capture);
		return;
	}
	model->problem.message[0] = '\0';
	note_event(model, next);
	model->reloads = news->reloads;
	model->failures = news->failures;
	show(model, next);
}

void top_model_freeze(struct top_model *model, bool is_frozen)
{
	if (!is_frozen && model->shown != model->now) {
		free_picture(model->shown);
		model->shown = model->now;
	}
	model->is_frozen = is_frozen;
}

void top_model_free(struct top_model *model)
{
	top_model_freeze(model, false);
	free_picture(model->now);
	model->now = model->shown = NULL;
}

enum top_window top_picture_window(const struct top_picture *picture, enum top_window chosen)
{
	return picture->captures[chosen] != NULL ? chosen : TOP_SINCE_START;
}

enum status top_picture_profile(struct top_picture *picture, enum top_window window, const struct profile **profile,
                                struct error *error)
{
	const struct capture *const *capture = (const struct capture *const *)&picture->captures[window];
	/* The identity was checked when the capture came. */
	const struct analysis_options options = {.force = true, .total_errors = true};
	enum status status = STATUS_OK;

	if (picture->profiles[window] == NULL)
		status = analysis_run(picture->image, capture, 1, &options, &picture->profiles[window], error);
	*profile = picture->profiles[window];
	return status;
}
