/* SPDX-License-Identifier: MIT */
/* A socket of this machine as a channel. */
#include "checks.h"

#include "channel/channel.h"
#include "channel/tcp.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

static int listener, peer, cancel[2];
static unsigned port;
static struct channel *channel;
static struct error error;

static int begin(void **state)
{
	(void)state;
	struct sockaddr_in here = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof here;
	char address[32];
	listener = socket(AF_INET, SOCK_STREAM, 0);
	assert_int_equal(bind(listener, (struct sockaddr *)&here, size), 0);
	assert_int_equal(listen(listener, 1), 0);
	assert_int_equal(getsockname(listener, (struct sockaddr *)&here, &size), 0);
	port = ntohs(here.sin_port);
	assert_int_equal(pipe(cancel), 0);
	snprintf(address, sizeof address, "127.0.0.1:%u,timeout=7", port);
	assert_int_equal(channel_tcp.open(address, cancel[0], &channel, &error), STATUS_OK);
	peer = accept(listener, NULL, NULL);
	assert_true(peer >= 0);
	return 0;
}

static int end(void **state)
{
	(void)state;
	channel->ops->close(channel);
	close(listener);
	if (peer >= 0)
		close(peer);
	close(cancel[0]);
	close(cancel[1]);
	return 0;
}

static void bytes_pass_both_ways(void **state)
{
	(void)state;
	char text[16] = "";
	assert_int_equal(channel->timeout, 7000);
	assert_int_equal(channel->bit_rate, 0);
	assert_int_equal(write(peer, "hello", 5), 5);
	assert_int_equal(take(channel, text, sizeof text, tcp_clock() + LONG), CHANNEL_DATA);
	assert_string_equal(text, "hello");
	assert_int_equal(channel->ops->write(channel, "there", 5, tcp_clock() + LONG), CHANNEL_DATA);
	assert_int_equal(recv(peer, text, 5, MSG_WAITALL), 5);
	assert_string_equal(text, "there");
}

static void silence_ends_at_the_deadline(void **state)
{
	(void)state;
	char text[8];
	uint64_t deadline = tcp_clock() + 20;
	assert_int_equal(take(channel, text, sizeof text, deadline), CHANNEL_TIMEOUT);
	assert_true(tcp_clock() >= deadline);
}

static void line_that_takes_no_more_ends_at_the_deadline(void **state)
{
	(void)state;
	static const char many[65536];
	enum channel_result result = CHANNEL_DATA;
	for (unsigned i = 0; i < 10000 && result == CHANNEL_DATA; i++)
		result = channel->ops->write(channel, many, sizeof many, tcp_clock() + 20);
	assert_int_equal(result, CHANNEL_TIMEOUT);
}

static void end_of_the_connection_is_told_behind_the_last_bytes(void **state)
{
	(void)state;
	char text[8];
	assert_int_equal(write(peer, "bye", 3), 3);
	close(peer);
	peer = -1;
	assert_int_equal(take(channel, text, sizeof text, tcp_clock() + LONG), CHANNEL_DATA);
	assert_string_equal(text, "bye");
	assert_int_equal(take(channel, text, sizeof text, tcp_clock() + LONG), CHANNEL_CLOSED);
	assert_string_equal(channel->reason, "the other end closed the connection");
}

static void waiting_ends_when_it_is_cancelled(void **state)
{
	(void)state;
	char text[8];
	assert_int_equal(write(cancel[1], "x", 1), 1);
	assert_int_equal(take(channel, text, sizeof text, tcp_clock() + LONG), CHANNEL_CANCELLED);
}

static void wrong_addresses_are_usage_errors(void **state)
{
	(void)state;
	static const struct usage_case cases[] = {
	        {"localhost", "tcp:localhost: expected HOST:PORT, the port a number from 1 to 65535"},
	        {"localhost:0", "tcp:localhost:0: expected HOST:PORT, the port a number from 1 to 65535"},
	        {"localhost:1,baud=9600", "baud=9600: this source has no such option; it knows: timeout"},
	        {"localhost:1,timeout=1,timeout=1", "timeout=1: this option is given twice"},
	        {"localhost:1,timeout=x", "timeout=x: expected seconds, from 0.001 to 86400"},
	};
	assert_usage_errors(&channel_tcp, cases, sizeof cases / sizeof cases[0]);
}

static void nobody_there_is_a_failure(void **state)
{
	(void)state;
	struct channel *none;
	assert_int_equal(channel_tcp.open("127.0.0.1:1", -1, &none, &error), STATUS_FAILED);
	assert_string_equal(error.message, "tcp:127.0.0.1:1: cannot connect: Connection refused");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(bytes_pass_both_ways, begin, end),
	        cmocka_unit_test_setup_teardown(silence_ends_at_the_deadline, begin, end),
	        cmocka_unit_test_setup_teardown(line_that_takes_no_more_ends_at_the_deadline, begin, end),
	        cmocka_unit_test_setup_teardown(end_of_the_connection_is_told_behind_the_last_bytes, begin, end),
	        cmocka_unit_test_setup_teardown(waiting_ends_when_it_is_cancelled, begin, end),
	        cmocka_unit_test(wrong_addresses_are_usage_errors),
	        cmocka_unit_test(nobody_there_is_a_failure),
	};
	return cmocka_run_group_tests_name("channel/tcp_channel", tests, NULL, NULL);
}
