/* SPDX-License-Identifier: MIT */
/* A session with a gdb server that the tests play: the server's memory, the ELF, and the file for the capture. */
#ifndef UNIT_ACQUIRE_PULL_SESSION_H
#define UNIT_ACQUIRE_PULL_SESSION_H

#include "../backend/stub.h"
#include "acquire/pull/pull.h"
#include "fake.h"

#include <stdio.h>

struct session {
	struct fake fake; /* session_start() copies its memory to the server */
	char output_path[512], elf_path[512];
};

/* One for all tests of a program. */
extern struct session session;

/* Setup and teardown of a test. */
int session_begin(void **state);
int session_end(void **state);

/* Starts the server, with the fake's memory. */
void session_start(struct stub *stub);

/* Starts the server and pulls from it; source, ELF and output path are filled in. */
enum status session_pull(struct stub *stub, struct pull_options options, struct pull_summary *summary,
                         struct error *error);

/* Runs `bareprof pull` with these arguments, ended by NULL, on a server that was started. */
enum status session_run_command(struct stub *stub, char **arguments, struct error *error);
/* The same, with the command's output to stream; the command must succeed. */
void session_run_printing(struct stub *stub, char **arguments, FILE *stream, char printed[4096]);

/* Redirects the stream to a file. Returns the descriptor that restore() needs. */
int redirect(FILE *stream, const char *path);
void restore(FILE *stream, int before);

#endif
