/* SPDX-License-Identifier: MIT */
/* A session with a target, in its stages, from opening the firmware's image to disconnecting. Private to pull/ and
 * sample/. */
#ifndef ACQUIRE_PULL_SESSION_H
#define ACQUIRE_PULL_SESSION_H

#include "acquire/pull/control.h"
#include "acquire/pull/locate.h"
#include "acquire/pull/pull.h"
#include "acquire/pull/snapshot.h"
#include "base/file/file.h"
#include "firmware/image.h"

/* All zero except the options before pull_session_prepare(). */
struct pull_session {
	const struct pull_options *options;
	struct image *image; /* NULL: none */
	struct trigger trigger;
	struct target *target;                           /* NULL: not connected */
	char source[sizeof((struct target *)0)->source]; /* as target->source, also after disconnecting */
	bool was_connected; /* there was a connection before, so the target is not reset again */
	struct locate_result located;
	struct identity_result identity;
	bool has_run; /* the target ran in pull_session_let_run(), and may have been flashed */
	enum disruption disruption;
	const char *remains; /* state that the target is left in, for the user; NULL: unchanged */
	struct snapshot snapshots[LOCATE_BLOCKS_MAX];
	struct target_traffic traffic;
	struct error left; /* changes that the last connection could not undo; empty = none */
};

/* Checks that the output is not one of the inputs, and that standard input is read only once. */
enum status pull_session_check_output(const struct pull_session *session, struct error *error);
/* Opens the firmware's image and finds what the options name in it. */
enum status pull_session_prepare(struct pull_session *session, struct error *error);
/* Connects to the target, over JTAG if the image is for RISC-V. */
enum status pull_session_connect(struct pull_session *session, int cancel, struct error *error);
/* Connects, finds the blocks and checks that they belong to the image. From here on everything fails once cancel is
 * readable. On failure there is no connection. May be called again after a connection was lost; only the first call
 * resets the target. */
enum status pull_session_open(struct pull_session *session, int cancel, struct error *error);
/* Sends the recorder the requests of the options, and waits. */
enum status pull_session_control(struct pull_session *session, struct error *error);
/* Lets the target run, and detects disruptions of the profile. */
enum status pull_session_let_run(struct pull_session *session, unsigned milliseconds, struct error *error);
/* Reads the blocks, replacing earlier snapshots. */
enum status pull_session_read(struct pull_session *session, struct error *error);
/* Encodes the capture. The caller frees *file. */
enum status pull_session_encode(const struct pull_session *session, uint8_t **file, size_t *file_size,
                                struct error *error);
/* Checks that an encoded capture can be decoded, writes it and commits the output. Frees file. *is_contradictory: its
 * samples do not add up. */
enum status pull_session_write_file(const struct pull_session *session, uint8_t *file, size_t size,
                                    struct file_writer *writer, bool *is_contradictory, struct error *error);
/* Writes the capture, checks that it can be decoded, and commits the file. On failure *summary is left alone. */
enum status pull_session_write(const struct pull_session *session, struct file_writer *writer,
                               struct pull_summary *summary, struct error *error);
/* Disconnects if connected, leaving the target running. */
void pull_session_close(struct pull_session *session);
/* Fails because a signal ended the session, and reports the state that the target is left in. */
enum status pull_session_fail_interrupted(const struct pull_session *session, struct error *error);
void pull_session_release(struct pull_session *session);

/* The disruption by a requested reset before which nothing was read, judged by the recorder's count of resets that its
 * block survived. */
enum disruption disruption_of_requested_reset(const struct capture_header *after);

#endif
