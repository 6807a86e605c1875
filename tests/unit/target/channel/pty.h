/* SPDX-License-Identifier: MIT */
/* A pair of terminals: the tests' side of it, and the name of the other. */
#ifndef UNIT_TARGET_CHANNEL_PTY_H
#define UNIT_TARGET_CHANNEL_PTY_H

#include "target/channel/channel.h"

#include <stddef.h>

struct pty {
	int descriptor;
	char name[64];
};

void pty_open(struct pty *pty);
/* Opens the other side as a channel, with options that begin with a comma, or none. */
enum status pty_channel(const struct pty *pty, const char *options, int cancel, struct channel **channel,
                        struct error *error);
void pty_send(const struct pty *pty, const char *text);
/* Takes so many bytes, however long that takes, and puts a NUL behind them. */
void pty_receive(const struct pty *pty, char *text, size_t size);

#endif
