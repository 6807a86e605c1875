/* SPDX-License-Identifier: MIT */
/* Deferring the signals that end a program (SIGINT, SIGTERM, SIGHUP) while a target must not be left as it is. */
#ifndef ACQUIRE_PULL_INTERRUPT_H
#define ACQUIRE_PULL_INTERRUPT_H

#include "base/status.h"

#include <signal.h>
#include <stdbool.h>

struct interrupt {
	int descriptor; /* readable once a signal arrived; -1: signals are not deferred */
	sigset_t before;
};

/* Signals that were ignored at the start, as by nohup, stay ignored. */
enum status interrupt_defer(struct interrupt *interrupt, struct error *error);
/* Duplicates the descriptor, for operations that may be interrupted only until interrupt_mute(). The caller closes the
 * copy. */
enum status interrupt_copy(const struct interrupt *interrupt, int *copy, struct error *error);
/* From now on the copy never becomes readable, for any of its users. */
enum status interrupt_mute(int copy, struct error *error);
/* Restores the signals. True if one arrived meanwhile; it is consumed. */
bool interrupt_release(struct interrupt *interrupt);

#endif
