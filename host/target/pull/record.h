/* SPDX-License-Identifier: MIT */
/* Writing the blocks that a session read to a capture file. Private to pull/. */
#ifndef TARGET_PULL_RECORD_H
#define TARGET_PULL_RECORD_H

#include "base/file/file.h"
#include "target/pull/session.h"

/* Writes the capture, checks that it can be decoded, and commits the file. On failure *summary is left alone. */
enum status record_write(const struct pull_session *session, struct file_writer *writer, struct pull_summary *summary,
                         struct error *error);

#endif
