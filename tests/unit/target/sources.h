/* SPDX-License-Identifier: MIT */
/* SOURCEs as tests write them: resolved, or resolved and opened. */
#ifndef UNIT_TARGET_SOURCES_H
#define UNIT_TARGET_SOURCES_H

#include "target/backend/backends.h"

/* Valid until the eighth call after it. Fails the test if text is no source. */
const struct source *resolved_source(const char *text);
enum status open_source(const char *text, const struct target_setup *setup, struct target **target,
                        struct error *error);

#endif
