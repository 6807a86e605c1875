/* SPDX-License-Identifier: MIT */
/* The host's trailer after the blocks. Private to capture/; docs/FORMAT.md has its bytes. */
#ifndef CAPTURE_TRAILER_H
#define CAPTURE_TRAILER_H

#include "capture/capture.h"

/* True if the bytes begin a trailer. */
bool trailer_is_at(const uint8_t *bytes, size_t size);

/* Decodes the trailer at offset of the file and checks that it is the file's end and that its checksum holds. */
enum status trailer_decode(const char *path, const uint8_t *file, size_t size, size_t offset, struct capture *capture,
                           struct error *error);

#endif
