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

/* All zero but the options, before visit_prepare(). */
struct visit {
	const struct pull_options *options;
	struct image *image; /* NULL: none given */
	struct trigger trigger;
	struct target *target;                           /* NULL: there is no connection */
	char source[sizeof((struct target *)0)->source]; /* of the last connection, for messages */
	bool was_connected; /* at least once: a target that was to be reset was, at the first time */
	struct locate_result located;
	struct identity_result identity;
	bool has_run; /* the target did, by visit_let_run(): it may have been flashed meanwhile */
	enum mishap mishap;
	const char *remains; /* what was begun in the target and not ended, for the user; NULL = nothing */
	struct snapshot snapshots[LOCATE_BLOCKS_MAX];
	struct target_traffic traffic;
	struct error left; /* what the last connection did not leave as it was found, read or not; empty = nothing */
};

/* Opens the firmware's image, and finds in it what the options name. */
enum status visit_prepare(struct visit *visit, struct error *error);
/* Connects, finds the blocks and checks whose they are. As soon as cancel can be read from, it and what follows fail.
 * On failure there is no connection. Once more it may be called where one was lost; the target is reset at the first
 * one, if at all. */
enum status visit_open(struct visit *visit, int cancel, struct error *error);
/* Asks of the recorder what the options say, and waits. */
enum status visit_control(struct visit *visit, struct error *error);
/* Lets the target run, and notes what befell the profile meanwhile. */
enum status visit_let_run(struct visit *visit, unsigned milliseconds, struct error *error);
/* Takes the blocks as they are now, in place of those that were taken before. */
enum status visit_read(struct visit *visit, struct error *error);
/* Lets the target run on and disconnects, if there is a connection. */
void visit_close(struct visit *visit);
/* The failure of a visit that a signal ended: what it left behind. */
enum status visit_fail_interrupted(const struct visit *visit, struct error *error);
void visit_release(struct visit *visit);

#endif
