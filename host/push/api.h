/* SPDX-License-Identifier: MIT */
/* Interfaces of stores: how a profile becomes a request. One file per interface, one row each in api.c. */
#ifndef PUSH_API_H
#define PUSH_API_H

#include "base/status.h"
#include "push/labels.h"

#include <stdint.h>
#include <stdio.h>

struct push_profile {
	const char *application; /* push_application_is_valid() */
	struct push_labels labels;
	const char *bytes; /* pprof, compressed by gzip */
	size_t size;
	int64_t from, until; /* seconds since 1970 */
};

struct push_api {
	const char *path; /* the end of its URLs */
	const char *content_type;
	/* These write the query, without its question mark, and the body. The owner of the stream checks it for
	 * errors. */
	void (*write_query)(const struct push_profile *profile, FILE *stream); /* NULL: no query */
	void (*write_body)(const struct push_profile *profile, FILE *stream);
};

/* The interface that a URL without a query belongs to; NULL: unknown. */
const struct push_api *push_api_of(const char *url);

/* A request, freed by push_message_free(). */
struct push_message {
	const char *content_type;
	char *url, *body;
	size_t url_size, size; /* lengths of the URL and of the body */
};

enum status push_message_make(const struct push_api *api, const char *url, const struct push_profile *profile,
                              struct push_message *message, struct error *error);
void push_message_free(struct push_message *message);

#endif
