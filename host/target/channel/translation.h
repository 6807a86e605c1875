/* SPDX-License-Identifier: MIT */
/* What terminals and scripts do to bytes that they take for text. Knows of a recorded stream that it is of frames. */
#ifndef TARGET_CHANNEL_TRANSLATION_H
#define TARGET_CHANNEL_TRANSLATION_H

#include <stddef.h>
#include <stdint.h>

/* What was done to stream[0..size), for the user: undone, more of its frames hold. NULL = nothing that is known. */
const char *translation_find(const uint8_t *stream, size_t size);

#endif
