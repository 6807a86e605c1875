/* SPDX-License-Identifier: MIT */
/* Output to a reader that may not read, such as a pipe, without blocking the program. Text that the reader does not
 * accept is buffered as far as there is room; the rest is dropped and counted. Private to command/. */
#ifndef COMMAND_NONBLOCKING_OUTPUT_H
#define COMMAND_NONBLOCKING_OUTPUT_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The size of the buffer, in addition to the pipe's own buffer. */
#define NONBLOCKING_OUTPUT_CAPACITY ((size_t)1 << 16)

struct nonblocking_output {
	FILE *stream; /* print here; text is offered to the reader at each fflush() */
	int descriptor;
	bool is_shared; /* shared with other processes: flags are restored at the end */
	int flags;
	int timeout; /* milliseconds to wait for the reader when the buffer is full; -1: for ever */
	char held[NONBLOCKING_OUTPUT_CAPACITY];
	size_t held_size;
	uint64_t dropped; /* bytes */
	int failure;      /* errno of the first failed write, after which nothing is written; 0: none */
};

/* Opens output to the descriptor, which remains owned by the caller. */
enum status nonblocking_output_open(struct nonblocking_output *output, int descriptor, int timeout,
                                    struct error *error);
/* Offers buffered text to the reader again. */
void nonblocking_output_offer(struct nonblocking_output *output);
/* Flushes, and drops the rest when the reader has accepted nothing for this many milliseconds; -1: never. An all-zero
 * output may be closed. Counts and failure are kept. */
void nonblocking_output_close(struct nonblocking_output *output, int milliseconds);

#endif
