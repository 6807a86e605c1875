/* SPDX-License-Identifier: MIT */
/* The table of interfaces. */
#include "push/api.h"

#include <stdlib.h>
#include <string.h>

extern const struct push_api push_ingest; /* Pyroscope's HTTP interface: ingest.c */
extern const struct push_api push_pusher; /* Pyroscope's Connect interface: pusher.c */

static const struct push_api *const apis[] = {&push_ingest, &push_pusher, NULL};

const struct push_api *push_api_of(const char *url)
{
	size_t length = strlen(url);

	for (const struct push_api *const *entry = apis; *entry != NULL; entry++) {
		size_t path_length = strlen((*entry)->path);

		if (length >= path_length && strcmp(url + length - path_length, (*entry)->path) == 0)
			return *entry;
	}
	return NULL;
}

static void write_url(const struct push_api *api, const char *url, const struct push_profile *profile, FILE *stream)
{
	fputs(url, stream);
	if (api->write_query == NULL)
		return;
	fputc('?', stream);
	api->write_query(profile, stream);
}

/* Closes a stream in memory, which may be NULL. False if memory ran out. */
static bool close_memory_stream(FILE *stream)
{
	bool has_failed = stream == NULL || ferror(stream) != 0;

	return (stream == NULL || fclose(stream) == 0) && !has_failed;
}

enum status push_message_make(const struct push_api *api, const char *url, const struct push_profile *profile,
                              struct push_message *message, struct error *error)
{
	FILE *head, *body;

	*message = (struct push_message){.content_type = api->content_type};
	head = open_memstream(&message->url, &message->url_size);
	body = open_memstream(&message->body, &message->size);
	if (head != NULL)
		write_url(api, url, profile, head);
	if (body != NULL)
		api->write_body(profile, body);
	bool is_head_complete = close_memory_stream(head), is_body_complete = close_memory_stream(body);
	return is_head_complete && is_body_complete
	               ? STATUS_OK
	               : status_fail(error, "out of memory for a request of %zu bytes of profile", profile->size);
}

void push_message_free(struct push_message *message)
{
	free(message->url);
	free(message->body);
	*message = (struct push_message){0};
}
