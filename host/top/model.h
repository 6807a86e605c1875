/* SPDX-License-Identifier: MIT */
/* The captures of a target as profiles: the whole latest one, and its last interval. Does not use the terminal. */
#ifndef TOP_MODEL_H
#define TOP_MODEL_H

#include "base/text/demangle.h"
#include "profile/analysis.h"
#include "top/feed.h"

#include <stdbool.h>
#include <stdint.h>

/* The window of time that rows show. */
enum top_window { TOP_INTERVAL, TOP_SINCE_START, TOP_WINDOWS };

struct top_firmware;

/* One capture and the interval that it ends. Profiles are made when they are first shown. */
struct top_picture {
	struct top_firmware *firmware;
	const struct image *image;
	struct demangler *demangler;
	struct capture *captures[TOP_WINDOWS]; /* the interval is NULL in the first picture of a firmware */
	struct profile *profiles[TOP_WINDOWS];
	enum capture_course course; /* course of the counts; unless they continued, the interval begins at a reset */
	uint64_t taken;             /* time of the capture, by clock_now() */
	uint64_t milliseconds;      /* length of the interval */
};

/* The last event of the target or of the ELF. */
enum top_event {
	TOP_NO_EVENT,
	TOP_CONNECTED, /* connected again, after a failure */
	TOP_CLEARED,
	TOP_RESET_KEPT, /* the target was reset, and its counts continue */
	TOP_RESET,
	TOP_RELOADED,
};

struct top_model {
	const char *elf_path, *source;
	struct demangle_style style;
	bool force;                 /* accept captures of another build */
	struct feed_news news;      /* the latest; its capture is never set */
	struct top_picture *latest; /* NULL: none yet */
	struct top_picture *shown;  /* the same unless the view is frozen */
	bool is_frozen;
	enum top_event event;
	uint64_t event_time;
	unsigned reloads;     /* the number of reloads of the ELF when latest->firmware was opened */
	unsigned failures;    /* failures before the latest picture */
	struct error problem; /* why the last capture cannot be used; empty if it can */
};

/* A model without pictures. options must outlive it. */
struct top_model top_model_begin(const struct feed_options *options, struct demangle_style style);
/* Accepts news, and takes ownership of its capture. If the capture cannot be used, the pictures stay as they are, and
 * model->problem has the reason. */
void top_model_add(struct top_model *model, const struct feed_news *news);
/* Freezes the picture that is shown, or shows the latest again. */
void top_model_freeze(struct top_model *model, bool is_frozen);
void top_model_free(struct top_model *model);

/* The window that a picture shows if this one was chosen. The first picture has no interval, and shows the time since
 * the start. */
enum top_window top_picture_window(const struct top_picture *picture, enum top_window chosen);
/* The profile of a window that the picture has. It is owned by the picture. */
enum status top_picture_profile(struct top_picture *picture, enum top_window window, const struct profile **profile,
                                struct error *error);

#endif
