/* SPDX-License-Identifier: MIT */
/* What OpenOCD's Tcl server answers to a command that was asked with TCL_CATCH: whether it worked, and its result. As
 * pure functions over text; knows nothing of connections. */
#ifndef TARGET_BACKEND_TCL_ANSWER_H
#define TARGET_BACKEND_TCL_ANSWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Around a command (printf): 0 and its result, or another number and an error. Tcl's catch lets an error not be lost
 * among results, apply keeps our names out of the server's. */
#define TCL_CATCH "apply {{} {format {%%d %%s} [catch {%s} r] $r}}"

/* The result, or the error if *worked is false; NULL = this is no such answer. It points into text. */
const char *tcl_answer_result(const char *text, bool *worked);

/* Takes a list of exactly count numbers of 32 bits, as `read_memory` gives them. */
bool tcl_answer_words(const char *list, uint32_t *words, size_t count);

/* Is name one of a list of plain words, ended by spaces or newlines? */
bool tcl_answer_has(const char *list, const char *name);

#endif
