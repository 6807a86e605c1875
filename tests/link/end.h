/* SPDX-License-Identifier: MIT */
/*
 * One end of a byte stream: a pseudo-terminal or a local TCP port that users may open and close, a TCP connection, the
 * standard streams, or a child's. Only end_wait() blocks. An end that cannot be opened exits the program.
 */
#ifndef TESTS_LINK_END_H
#define TESTS_LINK_END_H

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct end {
	const char *name;
	int listener;     /* TCP only, or -1 */
	uint16_t port;    /* of the listener */
	int in, out;      /* -1: not connected */
	pid_t child;      /* 0: none */
	bool is_terminal; /* a pseudo-terminal of ours: in and out are its master */
	bool is_away;     /* the terminal is not open */
	bool is_over;     /* no user can connect again */
};

#define END_ENTRIES 2

/*
 * `-`: the standard streams. `pty`, `tcp`: offers one, and prints `pty PATH` or `tcp PORT`. `pty:LINK`: the same, with
 * a symbolic link LINK to it. `tcp:PORT`: connects to that port.
 */
void end_open(struct end *end, const char *name);
/* Runs a command; the end is connected to its standard streams. */
void end_spawn(struct end *end, char *const command[]);
/* An end that was opened before exec(). */
void end_resume(struct end *end, const char *name, int listener, int in, int out);

/* Accepts a waiting user, if any; returns whether one is connected. */
bool end_attend(struct end *end);
/* Whether a user was connected at the last end_attend(). */
bool end_is_attended(const struct end *end);
/* The number of bytes read; 0: none now. If the user has gone, closes the stream, or only `in` if `out` is another. */
size_t end_read(struct end *end, uint8_t *bytes, size_t capacity);
/* The number of bytes accepted: all of them if no user is connected. */
size_t end_write(struct end *end, const uint8_t *bytes, size_t size);
/* Signals end-of-file to the reader. */
void end_finish(struct end *end);
/* Closes the end, and waits for the child to exit. */
void end_close(struct end *end);
/* Unplugs an offered end: its user is cut off, and it cannot be opened until it is plugged in again at the same port or
 * link. */
void end_unplug(struct end *end);
void end_plug(struct end *end);

extern volatile sig_atomic_t termination_is_requested;
/* Blocks SIGTERM except in end_wait(), where it sets termination_is_requested, and ignores SIGPIPE. */
void end_catch_signals(void);

/* The poll entries for this end. */
void end_entries(const struct end *end, bool wants_in, bool wants_out, struct pollfd entries[END_ENTRIES]);
/* Waits for one of the entries, for a signal, or until line_clock() reaches `due`; only briefly if a terminal is away,
 * since nothing signals when one is opened. */
void end_wait(struct pollfd *entries, size_t count, uint64_t due, bool is_away);

#endif
