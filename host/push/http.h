/* SPDX-License-Identifier: MIT */
/* One HTTP request and its answer. Tests replace the client, and a build may lack it. */
#ifndef PUSH_HTTP_H
#define PUSH_HTTP_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* At most one is not NULL. Neither ever appears in a message. */
struct http_credentials {
	char *token; /* sent as a bearer token, RFC 6750 */
	char *user;  /* USER:PASSWORD, sent as basic authentication, RFC 7617 */
};

/* Where to send requests. */
struct http_address {
	char *text;           /* an http or https URL without user, query and fragment; the caller frees it */
	bool is_confidential; /* others cannot read what is sent: it is encrypted, or stays on this machine */
};

struct http_request {
	const char *url; /* the text of an address, with a query if there is one */
	const char *content_type;
	const void *body;
	size_t size;
	const struct http_credentials *credentials;
	const char *authorities; /* file of trusted certificates; NULL: the system's certificates */
	uint64_t limit;          /* milliseconds for the whole exchange */
};

/* The first line of an answer in messages. */
#define HTTP_TEXT_MAX 160

struct http_answer {
	unsigned status;      /* HTTP status, 200 or more; 0: none */
	bool is_transient;    /* there is no status, but another attempt may succeed */
	uint64_t retry_after; /* milliseconds to wait, as the server asked; 0: unknown */
	/* Untrusted: the first line of the answer or the destination of a redirection; without a status, the reason. */
	char text[HTTP_TEXT_MAX];
};

struct http_client {
	/* Parses a URL from the command line. */
	enum status (*parse)(const char *text, struct http_address *address, struct error *error);
	/* Sends a POST request. Never follows a redirection, and stops reading an answer that is too long. Fails only
	 * if memory runs out; everything else is in *answer. */
	enum status (*post)(const struct http_request *request, struct http_answer *answer, struct error *error);
};

/* The client of this build; NULL: the library below is missing. */
extern const struct http_client *const http_client;
#define HTTP_LIBRARY "libcurl"

#endif
