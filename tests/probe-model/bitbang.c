/* SPDX-License-Identifier: MIT */
/*
 * bitbang SOCKET [TARGET]... -- COMMAND...: runs COMMAND, and serves the JTAG pins of a target model (swd.h) to one
 * client of the Unix socket SOCKET, over OpenOCD's protocol remote_bitbang: a character per request. Returns the status
 * of the command.
 */
#include "swd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

/* The levels that the client set. */
struct adapter {
	struct swd_target *target;
	bool tck, tms, tdi;
};

/* '0' to '7': TCK is worth 4, TMS 2, TDI 1. 'r' to 'u': nTRST and nSRST; s and u drive nSRST low. */
static bool obey(struct adapter *adapter, char request, int client)
{
	if (request >= '0' && request <= '7') {
		const int levels = request - '0';
		const bool rises = !adapter->tck && (levels & 4) != 0;

		*adapter = (struct adapter){adapter->target, (levels & 4) != 0, (levels & 2) != 0, (levels & 1) != 0};
		if (rises)
			swd_clock_jtag(adapter->target, adapter->tms, adapter->tdi);
	} else if (request == 'R') {
		const char level = swd_jtag_output(adapter->target) ? '1' : '0';

		return write(client, &level, 1) == 1;
	} else if (request >= 'r' && request <= 'u') {
		swd_drive_reset(adapter->target, ((request - 'r') & 1) != 0);
	}
	return request != 'Q';
}

static int listen_at(const char *path)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
	unlink(path);
	if (listener < 0 || bind(listener, (struct sockaddr *)&address, sizeof address) != 0 ||
	    listen(listener, 1) != 0) {
		perror(path);
		exit(2);
	}
	return listener;
}

static pid_t start(char **command)
{
	pid_t child = fork();

	if (child == 0) {
		execvp(command[0], command);
		perror(command[0]);
		_exit(127);
	}
	return child;
}

static void serve(int listener, struct swd_target *target)
{
	struct adapter adapter = {.target = target};
	char requests[4096];
	ssize_t count;
	int client = accept(listener, NULL, NULL);
	bool is_open = true;

	while (is_open && (count = read(client, requests, sizeof requests)) > 0)
		for (ssize_t i = 0; i < count && is_open; i++)
			is_open = obey(&adapter, requests[i], client);
	close(client);
}

int main(int argc, char **argv)
{
	int last = 2, status;

	while (last < argc && strcmp(argv[last], "--") != 0)
		last++;
	if (argc < 3 || last + 1 >= argc) {
		fputs("usage: bitbang SOCKET [TARGET]... -- COMMAND...\n", stderr);
		return 2;
	}
	struct swd_target *target = swd_open((const char *const *)argv + 2, (size_t)(last - 2));
	if (target == NULL)
		return 2;
	const int listener = listen_at(argv[1]);
	pid_t child = start(argv + last + 1);
	serve(listener, target);
	unlink(argv[1]);
	swd_close(target);
	if (waitpid(child, &status, 0) < 0 || !WIFEXITED(status))
		return 2;
	return WEXITSTATUS(status);
}
