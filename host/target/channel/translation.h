/* SPDX-License-Identifier: MIT */
/* Detection of what terminals and scripts do to bytes that they mistake for text. */
#ifndef TARGET_CHANNEL_TRANSLATION_H
#define TARGET_CHANNEL_TRANSLATION_H

#include <stddef.h>
#include <stdint.h>

/* The translation of stream[0..size) that makes more of its frames intact if undone, for messages. NULL = none known.
 */
const char *translation_find(const uint8_t *stream, size_t size);

#endif
