/* SPDX-License-Identifier: MIT */
/* The live view on a terminal, which a build may lack. */
#ifndef TOP_TERMINAL_H
#define TOP_TERMINAL_H

#include "top/batch.h"

/* Shows the view until the user quits or a signal arrives, and restores the terminal. Fails if the first capture fails,
 * or if the target was left changed. */
typedef enum status top_terminal_run(struct top_options *options, struct error *error);

/* NULL: the library below is missing. */
extern top_terminal_run *const top_terminal;
#define TOP_LIBRARY "ncursesw"

#endif
