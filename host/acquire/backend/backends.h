/* SPDX-License-Identifier: MIT */
/* The table of all kinds of SOURCE, and resolution of a SOURCE. */
#ifndef ACQUIRE_BACKEND_BACKENDS_H
#define ACQUIRE_BACKEND_BACKENDS_H

#include "acquire/channel/channel.h"
#include "acquire/target/target.h"

/* The backend, or the channel of a link, that a scheme selects. */
struct source_kind {
	const char *scheme;
	const char *library; /* library that it needs; NULL: none */
	bool is_attached;    /* `bareprof devices` lists its devices */
	/* The syntax of its backend or channel. NULL: this build lacks the library. */
	const struct source_syntax *syntax;
	const struct target_ops *backend;
	const struct channel_ops *channel; /* NULL: the backend is not a link */
};

/* The backends, then the channels, then an entry without a scheme. */
extern const struct source_kind source_kinds[]; /* table.c */

/* Resolves a SOURCE as the user typed it. An unknown scheme is a usage error that lists the known ones. text must
 * outlive *source. */
enum status backends_resolve(const char *text, struct source *source, struct error *error);

#endif
