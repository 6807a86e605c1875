/* SPDX-License-Identifier: MIT */
/* The table of all backends, and the SOURCEs that name one of them. */
#ifndef TARGET_BACKEND_BACKENDS_H
#define TARGET_BACKEND_BACKENDS_H

#include "target/backend/target.h"

/* All backends of this build, ended by NULL. */
extern const struct target_ops *const backend_table[];
/* The backends that this build lacks, ended by one without a scheme. */
extern const struct unavailable unavailable_backends[];

/* Resolves a SOURCE as the user typed it. An unknown scheme is a usage error that lists the known ones. text must
 * outlive *source. */
enum status backends_resolve(const char *text, struct source *source, struct error *error);

#endif
