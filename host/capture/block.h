/* SPDX-License-Identifier: MIT */
/* Decodes one block within a capture. Private to capture/. */
#ifndef CAPTURE_BLOCK_H
#define CAPTURE_BLOCK_H

#include "capture/capture.h"

/* Decodes the block at bytes, of which size bytes are there. On failure *block may hold memory: free it too. */
enum status block_decode(const char *where, const uint8_t *bytes, size_t size, struct capture_block *block,
                         struct error *error);
void block_free(struct capture_block *block);

#endif
