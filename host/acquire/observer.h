/* SPDX-License-Identifier: MIT */
/* Callbacks for events while a target is read. Each may be NULL. */
#ifndef ACQUIRE_OBSERVER_H
#define ACQUIRE_OBSERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct target_observer {
	void *context;
	/* Text that arrived between frames. */
	void (*text)(void *context, const uint8_t *bytes, size_t size);
	/* Progress of a read, in bytes. */
	void (*progress)(void *context, uint64_t done, uint64_t total);
	/* A note to the user about what was read: a line, without a newline. */
	void (*note)(void *context, const char *text);
	/* The channel broke and is being reopened, or is open again. */
	void (*broken)(void *context, bool is_broken);
	/* A trace line for each transfer, without a newline. */
	void (*trace)(void *context, const char *line);
};

#endif
