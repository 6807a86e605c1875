/* SPDX-License-Identifier: MIT */
/* How long to wait for answers, and how much to ask for, from what was seen so far. Knows nothing of frames' content.
 */
#ifndef TARGET_CHANNEL_PACE_H
#define TARGET_CHANNEL_PACE_H

#include <stdbool.h>
#include <stdint.h>

struct pace {
	unsigned frame;   /* the longest frame to ask for, bytes */
	uint32_t stretch; /* how much memory to ask for at once, bytes */

	/* Private. Times are in milliseconds. */
	unsigned frame_max, frame_longest; /* of what the target sends, and of what the line is good for */
	unsigned slack;                    /* what a slow line takes for a request and the start of its answer */
	unsigned round_trip;               /* 0 = not known */
	unsigned quickest;                 /* from a request to its answer; UINT_MAX = not known */
	unsigned silent;                   /* waits in a row that nothing came in */
	bool was_late;                     /* the last answer */
	unsigned pieces, damaged;          /* since the length of frames was last thought about */
	unsigned clean;                    /* times in a row that none was damaged */
};

/* bit_rate: bits per second on the wire, 0 = not known. */
void pace_init(struct pace *pace, uint32_t bit_rate);
/* The longest frame that the target sends; if it is another one than before, it is tried at once. */
void pace_set_frame(struct pace *pace, unsigned frame);

/* How long nothing may come until what was asked for is given up as lost. */
unsigned pace_retransmit_timeout(const struct pace *pace);
/* Nothing came for so long, then something did; is_whole: it was a round trip. */
void pace_note_wait(struct pace *pace, uint64_t milliseconds, bool is_whole);
/* Nothing came for as long as pace_retransmit_timeout(), or nothing but noise. */
void pace_note_timeout(struct pace *pace, bool was_noisy);
/* After that, until there is an answer: requests that pile up would only keep the line from recovering. */
bool pace_is_silent(const struct pace *pace);
/* However much comes of which nothing holds: how long until what was asked for is given up as lost. */
unsigned pace_limit(const struct pace *pace);
/* An answer came in time, so long after it was asked for, or so long after the last sign when what it answers was given
 * up. */
void pace_note_timely(struct pace *pace, uint64_t milliseconds);
void pace_note_late(struct pace *pace, uint64_t milliseconds);
/* So long after a request: what comes may be its answer. */
bool pace_may_be_answered(const struct pace *pace, uint64_t milliseconds);
/* A frame of data came, or what must have been one. */
void pace_note_frame(struct pace *pace, bool is_damaged);
/* A stretch of so many bytes was answered in so long. */
void pace_note_range(struct pace *pace, uint32_t size, uint64_t milliseconds);

#endif
