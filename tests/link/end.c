/* SPDX-License-Identifier: MIT */
/* See end.h. */
#include "end.h"

#include "line.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

/* The interval of checks whether a closed terminal was opened. */
#define AWAY_NANOSECONDS 5000000u

static void end_require(bool holds, const char *what)
{
	if (holds)
		return;
	perror(what);
	exit(2);
}

static void make_non_blocking(int descriptor)
{
	end_require(fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0, "fcntl");
}

static void adopt(struct end *end, int in, int out)
{
	make_non_blocking(in);
	make_non_blocking(out);
	end->in = in;
	end->out = out;
}

static void adopt_socket(struct end *end, int connection)
{
	const int on = 1;

	setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
	adopt(end, connection, connection);
}

static struct sockaddr_in local_address(uint16_t port)
{
	return (struct sockaddr_in){
	        .sin_family = AF_INET,
	        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	        .sin_port = htons(port),
	};
}

static void connect_to(struct end *end, const char *port)
{
	const struct sockaddr_in address = local_address((uint16_t)atoi(port));
	const int connection = socket(AF_INET, SOCK_STREAM, 0);

	end_require(connect(connection, (const struct sockaddr *)&address, sizeof address) == 0, "connect");
	adopt_socket(end, connection);
}

/* Listens at the previous port, or at any free one. */
static void listen_at_port(struct end *end)
{
	struct sockaddr_in address = local_address(end->port);
	socklen_t size = sizeof address;
	const int on = 1;

	end->listener = socket(AF_INET, SOCK_STREAM, 0);
	setsockopt(end->listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
	end_require(bind(end->listener, (const struct sockaddr *)&address, size) == 0 &&
	                    listen(end->listener, 1) == 0 &&
	                    getsockname(end->listener, (struct sockaddr *)&address, &size) == 0,
	            "listen");
	make_non_blocking(end->listener);
	end->port = ntohs(address.sin_port);
}

static void offer_port(struct end *end)
{
	listen_at_port(end);
	printf("tcp %u\n", end->port);
	fflush(stdout);
}

/* Configures the terminal like a serial port: no byte is changed or echoed. Closes the terminal again. */
static void make_raw(const char *path)
{
	struct termios settings;
	const int slave = open(path, O_RDWR | O_NOCTTY);

	end_require(slave >= 0 && tcgetattr(slave, &settings) == 0, path);
	cfmakeraw(&settings);
	end_require(tcsetattr(slave, TCSANOW, &settings) == 0, path);
	close(slave);
}

/* Replaces the link atomically: it always leads to the old terminal or to the new one. */
static void replace_link(const char *link, const char *path)
{
	char fresh[4096];

	snprintf(fresh, sizeof fresh, "%s.new", link);
	unlink(fresh);
	end_require(symlink(path, fresh) == 0 && rename(fresh, link) == 0, link);
}

static const char *link_of(const struct end *end)
{
	return end->name[3] == ':' ? end->name + 4 : NULL;
}

static const char *open_terminal(struct end *end)
{
	const int master = posix_openpt(O_RDWR | O_NOCTTY);
	const char *path;

	end_require(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0, "posix_openpt");
	path = ptsname(master);
	make_raw(path);
	adopt(end, master, master);
	end->is_away = true;
	if (link_of(end) != NULL)
		replace_link(link_of(end), path);
	return path;
}

static void offer_terminal(struct end *end)
{
	printf("pty %s\n", open_terminal(end));
	fflush(stdout);
}

void end_open(struct end *end, const char *name)
{
	*end = (struct end){.name = name, .listener = -1, .in = -1, .out = -1};
	end->is_terminal = strncmp(name, "pty", 3) == 0;
	if (strcmp(name, "-") == 0)
		adopt(end, STDIN_FILENO, STDOUT_FILENO);
	else if (end->is_terminal)
		offer_terminal(end);
	else if (strcmp(name, "tcp") == 0)
		offer_port(end);
	else if (strncmp(name, "tcp:", 4) == 0)
		connect_to(end, name + 4);
	else {
		errno = EINVAL;
		end_require(false, name);
	}
}

void end_spawn(struct end *end, char *const command[])
{
	int pair[2];

	end_require(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0, "socketpair");
	const pid_t child = fork();
	end_require(child >= 0, "fork");
	if (child == 0) {
		dup2(pair[1], STDIN_FILENO);
		dup2(pair[1], STDOUT_FILENO);
		execvp(command[0], command);
		end_require(false, command[0]);
	}
	close(pair[1]);
	*end = (struct end){.name = command[0], .listener = -1, .child = child};
	adopt(end, pair[0], pair[0]);
}

void end_resume(struct end *end, const char *name, int listener, int in, int out)
{
	*end = (struct end){.name = name, .listener = listener, .in = in, .out = out};
	end->is_terminal = strncmp(name, "pty", 3) == 0;
}

bool end_is_attended(const struct end *end)
{
	return end->out >= 0 && !end->is_away;
}

bool end_attend(struct end *end)
{
	struct pollfd entry = {.fd = end->in, .events = POLLIN};

	if (end->is_terminal && end->in >= 0)
		end->is_away = poll(&entry, 1, 0) == 1 && (entry.revents & POLLHUP) != 0;
	if (end->in < 0 && end->listener >= 0) {
		const int connection = accept(end->listener, NULL, NULL);

		if (connection >= 0)
			adopt_socket(end, connection);
	}
	return end_is_attended(end);
}

static void forget(struct end *end)
{
	if (end->in >= 0)
		close(end->in);
	end->in = end->out = -1;
}

/* Disconnects the user. A terminal stays for the next one; a TCP listener accepts the next connection. */
static void drop_user(struct end *end)
{
	end->is_away = end->is_terminal;
	if (end->is_terminal)
		return;
	end->is_over = end->listener < 0;
	if (end->in == end->out)
		forget(end);
	else
		end->in = -1;
}

static bool may_come_later(void)
{
	return errno == EAGAIN || errno == EINTR;
}

size_t end_read(struct end *end, uint8_t *bytes, size_t capacity)
{
	if (end->in < 0 || end->is_away)
		return 0;
	const ssize_t size = read(end->in, bytes, capacity);
	if (size > 0)
		return (size_t)size;
	if (size == 0 || !may_come_later())
		drop_user(end);
	return 0;
}

size_t end_write(struct end *end, const uint8_t *bytes, size_t size)
{
	if (!end_is_attended(end))
		return size;
	const ssize_t written = write(end->out, bytes, size);
	if (written >= 0)
		return (size_t)written;
	if (may_come_later())
		return 0;
	drop_user(end);
	return size;
}

void end_finish(struct end *end)
{
	shutdown(end->out, SHUT_WR);
}

void end_close(struct end *end)
{
	forget(end);
	if (end->child != 0)
		waitpid(end->child, NULL, 0);
}

/* The link goes first: a user who notices the hang-up must not be able to open it again. */
void end_unplug(struct end *end)
{
	if (end->is_terminal && link_of(end) != NULL)
		unlink(link_of(end));
	if (end->listener >= 0)
		close(end->listener);
	end->listener = -1;
	forget(end);
}

void end_plug(struct end *end)
{
	if (end->is_terminal)
		open_terminal(end);
	else
		listen_at_port(end);
}

volatile sig_atomic_t termination_is_requested;

static void request_termination(int signal)
{
	(void)signal;
	termination_is_requested = 1;
}

void end_catch_signals(void)
{
	const struct sigaction ending = {.sa_handler = request_termination};
	sigset_t blocked;

	sigemptyset(&blocked);
	sigaddset(&blocked, SIGTERM);
	sigprocmask(SIG_SETMASK, &blocked, NULL);
	sigaction(SIGTERM, &ending, NULL);
	signal(SIGPIPE, SIG_IGN);
}

void end_entries(const struct end *end, bool wants_in, bool wants_out, struct pollfd entries[END_ENTRIES])
{
	const bool is_here = end->in >= 0 && !end->is_away;

	entries[0] = (struct pollfd){.fd = is_here ? (wants_in ? end->in : -1) : end->listener, .events = POLLIN};
	entries[1] = (struct pollfd){.fd = is_here && wants_out ? end->out : -1, .events = POLLOUT};
	if (end->is_terminal && !is_here)
		entries[0].fd = -1;
}

void end_wait(struct pollfd *entries, size_t count, uint64_t due, bool is_away)
{
	const uint64_t now = line_clock();

	if (is_away && due > now + AWAY_NANOSECONDS)
		due = now + AWAY_NANOSECONDS;
	const uint64_t left = due > now ? due - now : 0;
	const struct timespec limit = {(time_t)(left / 1000000000u), (long)(left % 1000000000u)};
	sigset_t none;

	/* Signals that the program blocks are delivered here, and end the wait. */
	sigemptyset(&none);
	ppoll(entries, count, due == UINT64_MAX ? NULL : &limit, &none);
}
