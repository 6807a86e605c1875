/* SPDX-License-Identifier: MIT */
/* What the tests of every kind of channel do alike. */
#ifndef UNIT_TARGET_CHANNEL_CHECKS_H
#define UNIT_TARGET_CHANNEL_CHECKS_H

#include "target/channel/channel.h"

#include <stddef.h>
#include <stdint.h>

/* Milliseconds that nothing takes. */
#define LONG 60000u

/* Opens what follows the scheme. */
enum status open_channel(const struct channel_ops *ops, const char *address, int cancel, struct channel **channel,
                         struct error *error);

/* Reads what there is, less than capacity bytes, and puts a NUL behind it. */
enum wait_result take(struct channel *channel, char *text, size_t capacity, uint64_t deadline);

struct usage_case {
	const char *address, *message;
};
/* Each address is refused as a usage error with its message. */
void assert_usage_errors(const struct channel_ops *ops, const struct usage_case *cases, size_t count);

#endif
