/* SPDX-License-Identifier: MIT */
/* See server.h. */
#include "server.h"

#include "base/wait.h"

#include "../sources.h"
#include "test.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

/* Milliseconds. A server answers within the first, so that a wait is cancelled and not a request. */
#define CANCEL_AFTER 500
#define LONG_RUN     60000

#define COUNTER 0x20000100u /* of counter.S */

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

pid_t server_start(const char *const *arguments)
{
	pid_t process = fork();

	assert_true(process >= 0);
	if (process == 0) {
		int null = open("/dev/null", O_RDWR);

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
		execvp(arguments[0], (char *const *)(uintptr_t)arguments);
		_exit(127);
	}
	return process;
}

void server_stop(pid_t process)
{
	kill(process, SIGKILL);
	waitpid(process, NULL, 0);
}

struct target *server_await(const char *source)
{
	uint64_t end = clock_now() + SERVER_LATEST;
	struct target *target;

	while (open_source(source, NULL, &target, &failure) != STATUS_OK) {
		if (clock_now() >= end)
			fail_msg("%s", failure.message);
		wait_pause(20, -1);
	}
	return target;
}

void server_close(struct target *target)
{
	struct error error; /* failure is that of the call before */

	assert_success(target_close(target, &error), &error);
}

void server_build_counter(const char *elf)
{
	char command[512];

	snprintf(command, sizeof command,
	         "arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -nostdlib -Wl,--build-id=none -Wl,-Ttext=0 -o %s "
	         "tests/unit/acquire/backend/counter.S",
	         elf);
	if (system(command) != 0)
		fail_msg("failed: %s", command);
}

uint32_t server_read_counter(struct target *target)
{
	uint8_t bytes[4];

	assert_success(target_read(target, COUNTER, bytes, sizeof bytes, &failure), &failure);
	return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

void server_check_cancelling(const char *source)
{
	struct target_setup setup = TARGET_SETUP_DEFAULT;
	struct target *target = NULL;
	struct itimerspec soon = {.it_value.tv_nsec = CANCEL_AFTER * 1000000L};

	setup.cancel = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	assert_success(open_source(source, &setup, &target, &failure), &failure);
	assert_int_equal(timerfd_settime(setup.cancel, 0, &soon, NULL), 0);
	assert_failure(target_run(target, LONG_RUN, &failure), &failure, "interrupted");
	assert_true(target->is_lost);
	server_close(target);
	close(setup.cancel);
}

void server_read_from(struct speaker *speaker, const char *scheme, uint8_t bytes[16], struct error *error)
{
	uint64_t begin = clock_now();
	struct target *target;
	char source[128];

	speaker_start(speaker);
	snprintf(source, sizeof source, "%s:%s,timeout=0.5", scheme, speaker->address);
	error->message[0] = 0;
	if (open_source(source, NULL, &target, error) == STATUS_OK) {
		target_read(target, 0x20000000, bytes, 16, error);
		server_close(target);
	}
	speaker_join(speaker);
	assert_true(clock_now() - begin < SERVER_LATEST);
}
