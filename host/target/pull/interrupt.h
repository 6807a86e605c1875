/* SPDX-License-Identifier: MIT */
/*
 * The signals that end a program (SIGINT, SIGTERM, SIGHUP) held back while a target must not be left as it is. Knows
 * nothing of targets.
 */
#ifndef TARGET_PULL_INTERRUPT_H
#define TARGET_PULL_INTERRUPT_H

#include "base/status.h"

#include <signal.h>
#include <stdbool.h>

struct interrupt {
	int descriptor; /* can be read from once a signal came; -1: signals are not held back */
	sigset_t before;
};

/* Signals that the program was started to ignore, as by nohup, stay ignored. */
enum status interrupt_hold(struct interrupt *interrupt, struct error *error);
/* Another descriptor of it, for what is to be interrupted only until interrupt_spare(). To be closed by the caller. */
enum status interrupt_copy(const struct interrupt *interrupt, int *copy, struct error *error);
/* From now on the copy can never be read from, whoever has it. */
enum status interrupt_spare(int copy, struct error *error);
/* Signals end the program again. True if one came meanwhile: it is used up. */
bool interrupt_release(struct interrupt *interrupt);

#endif
