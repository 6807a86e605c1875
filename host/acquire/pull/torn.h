/* SPDX-License-Identifier: MIT */
/* A second read of slots that the recorder was writing during the first. Private to pull/. */
#ifndef ACQUIRE_PULL_TORN_H
#define ACQUIRE_PULL_TORN_H

#include "acquire/pull/snapshot.h"

/* Reads nothing for sections other than arcs and slices, and for a stopped profile. */
enum status torn_read_again(struct target *target, const struct capture_section *section, struct snapshot *snapshot,
                            struct error *error);

#endif
