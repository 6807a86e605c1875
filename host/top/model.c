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

/* NULL on failure. */
static struct top_firmware *open_firmware(const struct top_model *model, struct error *error)
{
	struct top_firmware *firmware = calloc(1, sizeof *firmware);

	if (firmware == NULL) {
		status_no_memory(error, model->elf_path);
		return NULL;
	}
	firmware->pictures = 1;
	enum status status = image_open(model->elf_path, &firmware->image, error);
	firmware->demangler = demangler_create(model->style);
	if (status == STATUS_OK && firmware->demangler == NULL)
		status = status_no_memory(error, model->elf_path);
	if (status == STATUS_OK)
		return firmware;
	release_firmware(firmware);
	return NULL;
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

/* The firmware of the capture, with one more reference; NULL on failure. */
static struct top_firmware *acquire_firmware(const struct top_model *model, unsigned reloads, struct error *error)
{
	if (model->latest == NULL || reloads != model->reloads)
		return open_firmware(model, error);
	model->latest->firmware->pictures++;
	return model->latest->firmware;
}

static bool add_picture_interval(struct top_picture *picture, const struct top_picture *earlier)
{
	picture->captures[TOP_INTERVAL] =
	        capture_since(picture->captures[TOP_SINCE_START], earlier->captures[TOP_SINCE_START], &picture->course);
	picture->milliseconds = picture->taken - earlier->taken;
	return picture->captures[TOP_INTERVAL] != NULL;
}

/* Checks the capture, and adds the interval since the previous one if the firmware is the same. */
static enum status fill_picture(const struct top_model *model, struct top_picture *picture, struct error *error)
{
	enum profile_identity identity = PROFILE_IDENTITY_SAME;
	const bool has_interval = model->latest != NULL && model->latest->firmware == picture->firmware;

	enum status status = analysis_check_capture(picture->image, picture->captures[TOP_SINCE_START], model->force,
	                                            &identity, error);
	if (status == STATUS_OK && has_interval && !add_picture_interval(picture, model->latest))
		status = status_no_memory(error, model->source);
	return status;
}

/* The next picture; NULL on failure. It owns the capture, which is closed in any case. */
static struct top_picture *make_picture(const struct top_model *model, const struct feed_news *news,
                                        struct error *error)
{
	struct top_firmware *firmware = acquire_firmware(model, news->reloads, error);
	struct top_picture *picture = firmware != NULL ? calloc(1, sizeof *picture) : NULL;

	if (picture == NULL) {
		if (firmware != NULL) {
			release_firmware(firmware);
			status_no_memory(error, model->source);
		}
		capture_close(news->capture);
		return NULL;
	}
	*picture = (struct top_picture){.firmware = firmware,
	                                .image = firmware->image,
	                                .demangler = firmware->demangler,
	                                .captures = {[TOP_SINCE_START] = news->capture},
	                                .taken = news->taken};
	if (fill_picture(model, picture, error) == STATUS_OK)
		return picture;
	free_picture(picture);
	return NULL;
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
	const struct top_picture *latest = model->latest;

	if (latest != NULL && latest->firmware != next->firmware)
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

static void show_picture(struct top_model *model, struct top_picture *next)
{
	if (model->shown != model->latest)
		free_picture(model->latest);
	else if (!model->is_frozen)
		free_picture(model->shown);
	model->latest = next;
	if (!model->is_frozen)
		model->shown = next;
}

struct top_model top_model_begin(const struct feed_options *options, struct demangle_style style)
{
	return (struct top_model){
	        .elf_path = options->pull.elf_path,
	        .source = options->pull.source->text,
	        .style = style,
	        .force = options->pull.force,
	};
}

void top_model_add(struct top_model *model, const struct feed_news *news)
{
	model->news = *news;
	model->news.capture = NULL;
	if (news->capture == NULL)
		return;
	struct top_picture *next = make_picture(model, news, &model->problem);
	if (next == NULL)
		return;
	model->problem.message[0] = '\0';
	note_event(model, next);
	model->reloads = news->reloads;
	model->failures = news->failures;
	show_picture(model, next);
}

void top_model_freeze(struct top_model *model, bool is_frozen)
{
	if (!is_frozen && model->shown != model->latest) {
		free_picture(model->shown);
		model->shown = model->latest;
	}
	model->is_frozen = is_frozen;
}

void top_model_free(struct top_model *model)
{
	top_model_freeze(model, false);
	free_picture(model->latest);
	model->latest = model->shown = NULL;
}

enum top_window top_picture_window(const struct top_picture *picture, enum top_window chosen)
{
	return picture->captures[chosen] != NULL ? chosen : TOP_SINCE_START;
}

enum status top_picture_profile(struct top_picture *picture, enum top_window window, const struct profile **profile,
                                struct error *error)
{
	const struct capture *const *capture = (const struct capture *const *)&picture->captures[window];
	/* The identity was checked when the capture arrived. */
	const struct analysis_options options = {.force = true, .total_errors = true};
	enum status status = STATUS_OK;

	if (picture->profiles[window] == NULL)
		status = analysis_run(picture->image, capture, 1, &options, &picture->profiles[window], error);
	*profile = picture->profiles[window];
	return status;
}
