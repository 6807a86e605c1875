/* SPDX-License-Identifier: MIT */
/* The channel for TCP, on a local socket, with a fake name server. */
#include "checks.h"

#include "acquire/channel/channel.h"
#include "acquire/channel/client.h"
#include "acquire/channel/tcp.h"
#include "base/clock.h"
#include "test.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static int listener, peer, cancel[2];
static unsigned port;
static struct channel *channel;

/* The name server: "known" is this machine, "dead" is never answered, "deadly" kills the process that asks. */
int getaddrinfo(const char *host, const char *service, const struct addrinfo *hints, struct addrinfo **found)
{
	int (*real)(const char *, const char *, const struct addrinfo *, struct addrinfo **);
	void *symbol = dlsym(RTLD_NEXT, "getaddrinfo");

	memcpy(&real, &symbol, sizeof real);
	if (hints->ai_flags & AI_NUMERICHOST)
		return real(host, service, hints, found);
	while (strcmp(host, "dead") == 0)
		pause();
	if (strcmp(host, "deadly") == 0)
		raise(SIGKILL);
	return strcmp(host, "known") == 0 ? real("127.0.0.1", service, hints, found) : EAI_NONAME;
}

static int begin(void **state)
{
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
	assert_success(open_channel(&channel_tcp, address, cancel[0], &channel, &failure), &failure);
	peer = accept(listener, NULL, NULL);
	assert_true(peer >= 0);
	return 0;
}

static int end(void **state)
{
	channel->ops->close(channel);
	close(listener);
	if (peer >= 0)
		close(peer);
	close(cancel[0]);
	close(cancel[1]);
	return 0;
}

EACH_TEST(begin, end);

TEST(silence_ends_at_the_deadline)
{
	char text[8];
	uint64_t deadline = clock_now() + 20;

	assert_int_equal(take(channel, text, sizeof text, deadline), WAIT_TIMEOUT);
	assert_true(clock_now() >= deadline);
}

TEST(full_line_ends_at_the_deadline)
{
	static const char many[65536];
	enum wait_result result = WAIT_DONE;

	for (unsigned i = 0; i < 10000 && result == WAIT_DONE; i++)
		result = channel->ops->write(channel, many, sizeof many, clock_now() + 20);
	assert_int_equal(result, WAIT_TIMEOUT);
}

TEST(end_of_the_connection_is_reported_after_the_last_bytes)
{
	char text[8];

	assert_int_equal(write(peer, "bye", 3), 3);
	close(peer);
	peer = -1;
	assert_int_equal(take(channel, text, sizeof text, clock_now() + LONG), WAIT_DONE);
	assert_string_equal(text, "bye");
	assert_int_equal(take(channel, text, sizeof text, clock_now() + LONG), WAIT_CLOSED);
	assert_string_equal(channel->reason, "the other end closed the connection");
}

TEST(waiting_ends_when_cancelled)
{
	char text[8];

	assert_int_equal(write(cancel[1], "x", 1), 1);
	assert_int_equal(take(channel, text, sizeof text, clock_now() + LONG), WAIT_CANCELLED);
}

TEST_WITH(refused_connection_is_a_failure, NULL, NULL)
{
	struct channel *none;

	assert_int_equal(open_channel(&channel_tcp, "127.0.0.1:1", -1, &none, &failure), STATUS_FAILED);
	assert_string_equal(failure.message, "tcp:127.0.0.1:1: cannot connect: Connection refused");
}

TEST_WITH(failed_connection_leaves_nothing_to_close, NULL, NULL)
{
	struct tcp tcp = {.descriptor = -1, .cancel = -1};

	assert_int_equal(tcp_connect("here", "127.0.0.1:1", 1000, &tcp, &failure), STATUS_FAILED);
	assert_int_equal(tcp.descriptor, -1);
}

TEST(name_is_looked_up)
{
	char address[32];
	struct channel *other;

	snprintf(address, sizeof address, "known:%u", port);
	assert_success(open_channel(&channel_tcp, address, -1, &other, &failure), &failure);
	other->ops->close(other);
}

static void assert_not_found(const char *address, int cancelled_by, const char *message)
{
	struct channel *none;

	assert_int_equal(open_channel(&channel_tcp, address, cancelled_by, &none, &failure), STATUS_FAILED);
	assert_string_equal(failure.message, message);
	/* The child process has ended. */
	assert_int_equal(waitpid(-1, NULL, 0), -1);
	assert_int_equal(errno, ECHILD);
}

TEST_WITH(unknown_name_is_a_failure, NULL, NULL)
{
	char message[96];

	snprintf(message, sizeof message, "tcp:unknown:1: cannot find the host: %s", gai_strerror(EAI_NONAME));
	assert_not_found("unknown:1", -1, message);
	assert_not_found("deadly:1", -1, "tcp:deadly:1: cannot find the host: the lookup was killed");
}

TEST_WITH(dead_name_server_ends_at_the_deadline, NULL, NULL)
{
	uint64_t begin_time = clock_now();

	assert_not_found("dead:1,timeout=0.02", -1,
	                 "tcp:dead:1: cannot find the host: no name server answered in time");
	assert_true(clock_now() - begin_time >= 20);
	assert_true(clock_now() - begin_time < LONG);
}

TEST(dead_name_server_ends_when_cancelled)
{
	assert_int_equal(write(cancel[1], "x", 1), 1);
	assert_not_found("dead:1", cancel[0], "tcp:dead:1: interrupted");
}

/* Checks the error for a peer that sends this line instead of an answer. */
static void assert_diagnosis(const char *line, const char *message)
{
	char source[64], whole[256];
	struct channel *silent;
	struct client *none;
	static const struct target_observer nobody;

	snprintf(source, sizeof source, "tcp:127.0.0.1:%u,timeout=0.05", port);
	assert_success(open_channel(&channel_tcp, source + strlen("tcp:"), -1, &silent, &failure), &failure);
	int other_end = accept(listener, NULL, NULL);
	assert_int_equal(write(other_end, line, strlen(line)), strlen(line));
	assert_int_equal(client_open(silent, &(struct source){.text = source}, -1, &nobody, &none, &failure),
	                 STATUS_FAILED);
	close(other_end);
	snprintf(whole, sizeof whole, "%s: no answer for 0.05 s: %s", source, message);
	assert_string_equal(failure.message, whole);
}

TEST(diagnosis_of_a_connection_does_not_mention_its_rate)
{
	assert_diagnosis("", "nothing arrived: does the firmware run and call bareprof_poll()? "
	                     "Does the line lead to it?");
	assert_diagnosis("\xff\xfd\x03\xff", "only noise arrived, 4 bytes with 0 damaged frames: does the line "
	                                     "lead to a target, and is every byte passed on unchanged?");
}
