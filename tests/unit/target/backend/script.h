/* SPDX-License-Identifier: MIT */
/* A GDB server that knows one conversation, on a terminal: what it is asked must be what stands there, in that order.
 */
#ifndef UNIT_TARGET_BACKEND_SCRIPT_H
#define UNIT_TARGET_BACKEND_SCRIPT_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* A request is a packet without its frame; "monitor COMMAND" stands for qRcmd and digits. So are the answers to it, and
 * "says TEXT" stands for console output, "result TEXT" for what a command ends with. NULL behind the last one. */
struct exchange {
	const char *request;
	const char *answers[5];
};

struct script {
	const struct exchange *exchanges; /* one without request ends them */

	char source[64];   /* "gdb:/dev/pts/N" */
	char strayed[256]; /* the first request that was another one than expected; "" = none was */
	size_t done;       /* exchanges */

	int master, slave;
	pthread_t thread;
};

void script_start(struct script *script);
/* Once the other side is done. */
void script_join(struct script *script);

#endif
