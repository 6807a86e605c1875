/* SPDX-License-Identifier: MIT */
/* When a request is tried again, with a server and a clock that do what a test says. */
#include "push/send.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

#define SECOND ((uint64_t)1000)

/* The answers of the server in turn, then the last one; each takes some time. */
static struct http_answer answers[4];
static size_t answer_count, request_count;
static uint64_t answer_time, now;
static uint64_t pauses[64], limits[64];
static uint32_t next_number;

static enum status parse(const char *text, struct http_address *address, struct error *error)
{
	(void)text, (void)address;
	return status_fail(error, "unused");
}

static enum status post(const struct http_request *request, struct http_answer *answer, struct error *error)
{
	(void)error;
	assert_true(request_count < 64);
	limits[request_count] = request->limit;
	*answer = answers[request_count < answer_count ? request_count : answer_count - 1];
	request_count++;
	now += answer_time < request->limit ? answer_time : request->limit;
	return STATUS_OK;
}

static uint64_t get_now(void)
{
	return now;
}

static bool pause_until(uint64_t deadline, int cancel)
{
	assert_int_equal(cancel, -1);
	pauses[request_count - 1] = deadline - now;
	now = deadline;
	return true;
}

static uint32_t get_number(void)
{
	return next_number;
}

static enum status send_for(unsigned seconds, struct error *error)
{
	static const struct http_client client = {.parse = parse, .post = post};
	static const struct clock clock = {.now = get_now, .pause = pause_until};
	static const struct push_environment environment = {.client = &client, .clock = &clock, .random = get_number};
	static char address[] = "http://store/ingest", url[] = "http://store/ingest?name=a", body[] = "body";
	const struct push_destination destination = {.address.text = address, .timeout = seconds * 1000};
	const struct push_message message = {.url = url, .body = body, .size = 4};

	*error = (struct error){.message = ""};
	return push_send(&message, &destination, &environment, error);
}

static void answer_with(struct http_answer answer)
{
	answers[answer_count++] = answer;
}

static int reset_server(void **state)
{
	(void)state;
	answer_count = request_count = next_number = 0;
	answer_time = 0;
	now = 12345;
	return 0;
}

EACH_TEST(reset_server, NULL);

static void assert_final(unsigned status)
{
	struct error error;

	reset_server(NULL);
	answer_with((struct http_answer){.status = status, .text = "because"});
	assert_int_equal(send_for(60, &error), status < 300 ? STATUS_OK : STATUS_FAILED);
	assert_int_equal(request_count, 1);
}

TEST(success_and_client_errors_are_final)
{
	static const unsigned statuses[] = {200, 201, 204, 299, 300, 302, 307, 400, 401, 404, 408, 413, 428, 430, 499};

	for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
		assert_final(statuses[i]);
}

TEST(busy_servers_and_broken_networks_are_tried_again)
{
	static const struct http_answer transient[] = {
	        {.status = 429}, {.status = 500}, {.status = 503}, {.status = 599}, {.is_transient = true}};
	struct error error;

	for (size_t i = 0; i < sizeof transient / sizeof *transient; i++) {
		reset_server(NULL);
		answer_with(transient[i]);
		answer_with((struct http_answer){.status = 200});
		assert_int_equal(send_for(60, &error), STATUS_OK);
		assert_int_equal(request_count, 2);
	}
}

TEST(failure_that_cannot_pass_is_final)
{
	struct error error;

	answer_with((struct http_answer){.text = "wrong certificate"});
	assert_int_equal(send_for(60, &error), STATUS_FAILED);
	assert_int_equal(request_count, 1);
	assert_string_equal(error.message, "http://store/ingest: wrong certificate");
}

TEST(pauses_double_up_to_a_maximum_and_end_with_the_time)
{
	const uint64_t begin = now;
	struct error error;

	answer_with((struct http_answer){.status = 503, .text = "busy"});
	assert_int_equal(send_for(200, &error), STATUS_FAILED);
	assert_string_equal(error.message, "http://store/ingest: HTTP 503: busy (18 attempts)");
	for (size_t i = 0; i + 1 < request_count; i++)
		assert_int_equal(pauses[i], 250 << (i < 6 ? i : 6));
	assert_true(now - begin < 200 * SECOND);
}

TEST(half_of_a_pause_is_random)
{
	struct error error;

	for (next_number = 0; next_number < 600; next_number += 7) {
		uint32_t number = next_number;

		reset_server(NULL);
		next_number = number;
		answer_with((struct http_answer){.status = 503});
		answer_with((struct http_answer){.status = 200});
		assert_int_equal(send_for(60, &error), STATUS_OK);
		assert_int_equal(pauses[0], 250 + number % 251);
	}
}

TEST(pause_is_at_least_what_the_server_asks_for)
{
	struct error error;

	answer_with((struct http_answer){.status = 429, .retry_after = 7 * SECOND});
	answer_with((struct http_answer){.status = 200});
	assert_int_equal(send_for(60, &error), STATUS_OK);
	assert_int_equal(pauses[0], 7 * SECOND + 250);
}

TEST(pause_beyond_the_time_is_not_begun)
{
	struct error error;

	answer_with((struct http_answer){.status = 429, .retry_after = 61 * SECOND});
	assert_int_equal(send_for(60, &error), STATUS_FAILED);
	assert_int_equal(request_count, 1);
	assert_int_equal(now, 12345);
	assert_string_equal(error.message, "http://store/ingest: HTTP 429: no reason given");
}

TEST(silent_server_is_asked_several_times_within_the_time)
{
	const uint64_t begin = now;
	struct error error;

	answer_time = 1000 * SECOND;
	answer_with((struct http_answer){.is_transient = true, .text = "timed out"});
	assert_int_equal(send_for(60, &error), STATUS_FAILED);
	assert_int_equal(request_count, 3);
	assert_true(now - begin <= 60 * SECOND);
	assert_int_equal(limits[0], 20 * SECOND);
	assert_true(limits[2] < 20 * SECOND);
}
