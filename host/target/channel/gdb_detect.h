/* SPDX-License-Identifier: MIT */
/* Who speaks at the other end of a channel, if it is no target. */
#ifndef TARGET_CHANNEL_GDB_DETECT_H
#define TARGET_CHANNEL_GDB_DETECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Is text[0..size), the first that came, what a gdb server says: acknowledgements, and a packet of its protocol if
 * there is anything else (GDB manual, "Remote Protocol: Overview")? */
bool gdb_detect(const uint8_t *text, size_t size);

#endif
