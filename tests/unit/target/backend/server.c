/* SPDX-License-Identifier: MIT */
/* See server.h. */
#include "server.h"

#include "base/wait.h"

#include "../sources.h"
#include "test.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

/* Milliseconds, on a busy machine. */
#define START_LATEST 20000

/* Milliseconds: a question to a server is answered within the first, so that it is the wait that is cancelled; the
 * second is what is waited for in all, if nothing ends it. */
#define CANCEL_AFTER 500
#define RUN_LONGEST  60000

unsigned server_free_port(void)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof address;
	int descriptor = socket(AF_INET, SOCK_STREAM, 0);

	assert_int_equal(bind(descriptor, (struct sockaddr *)&address, size), 0);
	assert_int_equal(getsockname(descriptor, (struct sockaddr *)&address, &size), 0);
	close(descriptor);
	return ntohs(address.sin_port);
}

struct target *server_try_open(const char *source, struct error *error)
{
	struct target *target = NULL;
	return open_source(source, NULL, &target, error) ? NULL : target;
}

struct target *server_open(const char *source)
{
	struct error error;
	struct target *target = server_try_open(source, &error);

	if (target == NULL)
		fail_msg("%s", error.message);
	return target;
}

struct target *server_await(const char *source)
{
	struct error error;
	struct target *target = server_try_open(source, &error);

	for (uint64_t end = clock_now() + START_LATEST; target == NULL && clock_now() < end;) {
		clock_system.pause(clock_now() + 20, -1);
		target = server_try_open(source, &error);
	}
	if (target == NULL)
		fail_msg("%s", error.message);
	return target;
}

void server_check_cancelling(const char *source)
{
	struct target_setup setup = TARGET_SETUP_DEFAULT;
	struct target *target = NULL;
	struct itimerspec soon = {.it_value.tv_nsec = CANCEL_AFTER * 1000000L};
	struct error error;

	setup.cancel = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	assert_int_equal(open_source(source, &setup, &target, &error), STATUS_OK);
	assert_int_equal(timerfd_settime(setup.cancel, 0, &soon, NULL), 0);
	assert_int_equal(target_run(target, RUN_LONGEST, &error), STATUS_FAILED);
	assert_non_null(strstr(error.message, "interrupted"));
	assert_true(target->is_lost);
	assert_int_equal(target_close(target, &error), STATUS_OK);
	close(setup.cancel);
}
