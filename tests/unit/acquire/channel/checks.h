/* SPDX-License-Identifier: MIT */
/* Opening and reading channels of any kind. */
#ifndef UNIT_ACQUIRE_CHANNEL_CHECKS_H
#define UNIT_ACQUIRE_CHANNEL_CHECKS_H

#include "acquire/channel/channel.h"

#include <stddef.h>
#include <stdint.h>

/* Milliseconds: longer than any test should wait. */
#define LONG 60000u

/* Opens a source without its scheme. */
enum status open_channel(const struct channel_ops *ops, const char *address, int cancel, struct channel **channel,
                         struct error *error);

/* Reads less than capacity bytes, and ends them with a NUL. */
enum wait_result take(struct channel *channel, char *text, size_t capacity, uint64_t deadline);

#endif
