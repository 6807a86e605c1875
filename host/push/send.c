/* SPDX-License-Identifier: MIT */
/* See send.h. */
#include "push/send.h"

#include <stdio.h>

/* Milliseconds. The second half of each pause is random, so that boards that failed together do not return together. */
#define PAUSE_FIRST     500u
#define PAUSE_DOUBLINGS 6u
#define ATTEMPTS_MIN    3u /* attempts that fit into the time-out if the server does not answer */

static bool may_try_again(const struct http_answer *answer)
{
	return answer->status == 0 ? answer->is_transient : answer->status == 429 || answer->status >= 500;
}

static uint64_t pause_after(unsigned attempt, const struct http_answer *answer, uint32_t random)
{
	unsigned doublings = attempt - 1 < PAUSE_DOUBLINGS ? attempt - 1 : PAUSE_DOUBLINGS;
	uint64_t half = ((uint64_t)PAUSE_FIRST << doublings) / 2;

	return answer->retry_after + half + random % (half + 1);
}

static enum status fail_push(const struct push_destination *destination, const struct http_answer *answer,
                             unsigned attempts, struct error *error)
{
	char tries[32] = "", code[24] = "";
	const char *text = answer->text[0] != '\0' ? answer->text : "no reason given";
	bool is_redirection = answer->status >= 300 && answer->status < 400;

	if (attempts > 1)
		snprintf(tries, sizeof tries, " (%u attempts)", attempts);
	if (answer->status > 0)
		snprintf(code, sizeof code, "HTTP %u: ", answer->status);
	return status_fail(error, "%.160s: %s%s%s%s", destination->address.text, code,
	                   is_redirection ? "redirections are not followed; push to the right URL: " : "", text, tries);
}

static enum status post_message(const struct push_message *message, const struct push_destination *destination,
                                uint64_t limit, const struct http_client *client, struct http_answer *answer,
                                struct error *error)
{
	const struct http_request request = {
	        .url = message->url,
	        .content_type = message->content_type,
	        .body = message->body,
	        .size = message->size,
	        .credentials = &destination->credentials,
	        .authorities = destination->authorities,
	        .limit = limit > 0 ? limit : 1,
	};

	return client->post(&request, answer, error);
}

enum status push_send(const struct push_message *message, const struct push_destination *destination,
                      const struct push_environment *environment, struct error *error)
{
	const uint64_t deadline = environment->clock->now() + destination->timeout,
	               attempt_limit = destination->timeout / ATTEMPTS_MIN;
	struct http_answer answer;

	for (unsigned attempt = 1;; attempt++) {
		uint64_t now = environment->clock->now(), left = deadline > now ? deadline - now : 0;
		enum status status = post_message(message, destination, left < attempt_limit ? left : attempt_limit,
		                                  environment->client, &answer, error);

		if (status != STATUS_OK)
			return status;
		if (answer.status >= 200 && answer.status < 300)
			return STATUS_OK;
		uint64_t next = environment->clock->now() + pause_after(attempt, &answer, environment->random());
		if (!may_try_again(&answer) || next >= deadline)
			return fail_push(destination, &answer, attempt, error);
		environment->clock->pause(next, -1);
	}
}
