/* SPDX-License-Identifier: MIT */
/* SOURCEs as tests write them, resolved or opened, and the messages of their failures. */
#ifndef UNIT_TARGET_SOURCES_H
#define UNIT_TARGET_SOURCES_H

#include "target/backend/backends.h"

/* Valid until the eighth call after it. Fails the test if text is no source. */
const struct source *resolved_source(const char *text);
enum status open_source(const char *text, const struct target_setup *setup, struct target **target,
                        struct error *error);
/* The message contains part and is one line. */
void assert_says(const struct error *error, const char *part);

#endif
