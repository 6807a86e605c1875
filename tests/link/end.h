/* SPDX-License-Identifier: MIT */
/*
 * One end of a pipe of bytes, at which somebody may come and go: a pseudo-terminal or a TCP port of this machine that
 * is offered, one that is connected to, the standard streams, a child's. Nothing waits but end_wait(). What cannot be
 * had ends the program.
 */
#ifndef TESTS_LINK_END_H
#define TESTS_LINK_END_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct end {
	const char *name;
	int listener;     /* TCP only, or -1 */
	uint16_t port;    /* that it listens at */
	int in, out;      /* -1 = nobody is there */
	pid_t child;      /* 0 = none */
	bool is_terminal; /* a pseudo-terminal of ours, in and out of which are its master */
	bool is_away;     /* nobody has it open */
	bool is_over;     /* nobody will come again */
};

#define END_ENTRIES 2

/*
 * `-`: the standard streams. `pty`, `tcp`: offers one, and prints `pty PATH` or `tcp PORT`. `pty:LINK`: the symbolic
 * link LINK, too, leads to it. `tcp:PORT`: connects to it.
 */
void end_open(struct end *end, const char *name);
/* Runs a command and becomes the other end of its standard streams. */
void end_spawn(struct end *end, char *const command[]);
/* Opened before and handed through exec. */
void end_resume(struct end *end, const char *name, int listener, int in, int out);

/* Lets who waits outside come in. Whether somebody is there. */
bool end_attend(struct end *end);
/* Whether somebody was there then, to take what is written. */
bool end_is_attended(const struct end *end);
/* How many; 0 = none now. Who has gone is forgotten, but for the other of two separate streams. */
size_t end_read(struct end *end, uint8_t *bytes, size_t capacity);
/* How many were taken: all of them if nobody is there. */
size_t end_write(struct end *end, const uint8_t *bytes, size_t size);
/* Tells who reads there that nothing more will come. */
void end_finish(struct end *end);
/* Lets go for good; a child has ended then. */
void end_close(struct end *end);
/* Unplugs what is offered: who has it open loses it, who wants to finds nothing; and plugs it in again, at the same
 * port or link. */
void end_unplug(struct end *end);
void end_plug(struct end *end);

/* What is to be waited for at this end. */
void end_entries(const struct end *end, bool wants_in, bool wants_out, struct pollfd entries[END_ENTRIES]);
/* Waits for one of these, for a signal, or until wire_clock() is at due; not long where a terminal is away. */
void end_wait(struct pollfd *entries, size_t count, uint64_t due, bool is_away);

#endif
