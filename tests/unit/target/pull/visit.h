/* SPDX-License-Identifier: MIT */
/* What a visit to a gdb server needs: a block for the server's memory, the ELF, and the file that the capture goes to.
 */
#ifndef UNIT_TARGET_PULL_VISIT_H
#define UNIT_TARGET_PULL_VISIT_H

#include "../backend/stub.h"
#include "fake.h"

struct visit {
	struct fake fake; /* its memory is what visit_start() gives the server */
	char output_path[512], elf_path[512];
};

/* There is one, for the tests of a program. */
extern struct visit visit;

/* Setup and teardown of a test. */
int visit_begin(void **state);
int visit_end(void **state);

/* Starts the server, with the fake's memory. */
void visit_start(struct stub *stub);

/* Runs `bareprof pull` with these arguments, ended by NULL, of this server, which was started: what it prints to
 * standard error. It must succeed. */
void visit_run_pull(struct stub *stub, char **arguments, char printed[4096]);

#endif
