/* SPDX-License-Identifier: MIT */
/* Recognition of a gdb server at the other end of a channel. */
#ifndef TARGET_CHANNEL_GDB_DETECT_H
#define TARGET_CHANNEL_GDB_DETECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether text[0..size), the first that arrived, is what a gdb server sends: acknowledgements, and perhaps a packet
 * (GDB manual, "Remote Protocol: Overview"). */
bool gdb_detect(const uint8_t *text, size_t size);

#endif
