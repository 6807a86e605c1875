/* SPDX-License-Identifier: MIT */
/* A decoder of messages on a line, byte by byte. */
#ifndef MACHINE_H
#define MACHINE_H

#include <stdint.h>

/* Decodes the next messages of a line that never ends, with the same instructions for each, except one more call for
 * every 64th. */
void machine_run(uint32_t messages);

/* The numbers of valid messages, and of invalid ones, which must be 0. */
uint32_t machine_messages(void);
uint32_t machine_failures(void);

#endif
