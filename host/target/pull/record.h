/* SPDX-License-Identifier: MIT */
/* What a visit read, as a capture in a file. Knows nothing of targets. Private to pull/. */
#ifndef TARGET_PULL_RECORD_H
#define TARGET_PULL_RECORD_H

#include "base/file/file.h"
#include "target/pull/session.h"

/* Writes the capture and commits the file, if it is one that can be read again. On failure *summary is left alone. */
enum status record_write(const struct pull_session *session, struct file_writer *writer, struct pull_summary *summary,
                         struct error *error);

#endif
