/* SPDX-License-Identifier: MIT */
/* A decoder of messages on a line, byte by byte. Knows nothing of profiles and boards. */
#ifndef MACHINE_H
#define MACHINE_H

#include <stdint.h>

/* Decodes the next messages of a line that never ends: the same instructions for each of them, but for one more call in
 * every 64th. */
void machine_run(uint32_t messages);

/* Messages that were whole, and those that were not: none. */
uint32_t machine_messages(void);
uint32_t machine_failures(void);

#endif
