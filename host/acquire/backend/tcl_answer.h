/* SPDX-License-Identifier: MIT */
/* Answers of OpenOCD's Tcl server to a command wrapped in TCL_CATCH: success, and the result. Pure functions over text.
 */
#ifndef ACQUIRE_BACKEND_TCL_ANSWER_H
#define ACQUIRE_BACKEND_TCL_ANSWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A printf format around a command. The answer is 0 and the result, or another number and an error. Tcl's catch makes
 * errors visible among results; apply keeps our variables out of the server's scope. */
#define TCL_CATCH "apply {{} {format {%%d %%s} [catch {%s} r] $r}}"

/* The result, or the error if *ok is false; points into text. NULL: not an answer of this form. */
const char *tcl_answer_result(const char *text, bool *ok);

/* Parses a list of exactly count 32-bit numbers, as `read_memory` returns them. */
bool tcl_answer_words(const char *list, uint32_t *words, size_t count);

/* Whether name is in a list of plain words, separated by spaces or newlines. */
bool tcl_answer_has(const char *list, const char *name);

#endif
