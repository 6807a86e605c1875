/* SPDX-License-Identifier: MIT */
/* A visit to a target, in its stages: from the firmware's image to the leave-taking. Knows nothing of files. Private to
 * pull/. */
#ifndef TARGET_PULL_SESSION_H
#define TARGET_PULL_SESSION_H

#include "firmware/image.h"
#include "target/pull/locate.h"
#include "target/pull/pull.h"
#include "target/pull/snapshot.h"
#include "target/pull/trigger.h"

/* All zero but the options, before pull_session_prepare(). */
struct pull_session {
	const struct pull_options *options;
	struct image *image; /* NULL: none given */
	struct trigger trigger;
	struct target *target;                           /* NULL: there is no connection */
	char source[sizeof((struct target *)0)->source]; /* of the last connection, for messages */
	bool was_connected; /* at least once: a target that was to be reset was, at the first time */
	struct locate_result located;
	struct identity_result identity;
	bool has_run; /* the target did, by pull_session_let_run(): it may have been flashed meanwhile */
	enum disruption disruption;
	const char *remains; /* what was begun in the target and not ended, for the user; NULL = nothing */
	struct snapshot snapshots[LOCATE_BLOCKS_MAX];
	struct target_traffic traffic;
	struct error left; /* what the last connection did not leave as it was found, read or not; empty = nothing */
};

/* Opens the firmware's image, and finds in it what the options name. */
enum status pull_session_prepare(struct pull_session *session, struct error *error);
/* Connects, finds the blocks and checks whose they are. As soon as cancel can be read from, it and what follows fail.
 * On failure there is no connection. Once more it may be called where one was lost; the target is reset at the first
 * one, if at all. */
enum status pull_session_open(struct pull_session *session, int cancel, struct error *error);
/* Asks of the recorder what the options say, and waits. */
enum status pull_session_control(struct pull_session *session, struct error *error);
/* Lets the target run, and notes what befell the profile meanwhile. */
enum status pull_session_let_run(struct pull_session *session, unsigned milliseconds, struct error *error);
/* Takes the blocks as they are now, in place of those that were taken before. */
enum status pull_session_read(struct pull_session *session, struct error *error);
/* Lets the target run on and disconnects, if there is a connection. */
void pull_session_close(struct pull_session *session);
/* The failure of a visit that a signal ended: what it left behind. */
enum status pull_session_fail_interrupted(const struct pull_session *session, struct error *error);
void pull_session_release(struct pull_session *session);

#endif
