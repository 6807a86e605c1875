/* SPDX-License-Identifier: MIT */
/* Adaptive pacing of requests: time-outs and request sizes, estimated from recent round trips. */
#ifndef ACQUIRE_CHANNEL_PACE_H
#define ACQUIRE_CHANNEL_PACE_H

#include <stdbool.h>
#include <stdint.h>

struct pace {
	unsigned frame; /* longest frame to ask for, in bytes */
	uint32_t range; /* memory to ask for at once, in bytes */

	/* Private. Times are in milliseconds. */
	unsigned frame_max,
	        frame_longest;    /* longest frame that the target sends; longest that the line can carry in time */
	unsigned slack;           /* time a slow line needs for a request and the start of its answer */
	unsigned round_trip;      /* 0: unknown */
	unsigned quickest;        /* fastest answer to a request; UINT_MAX: unknown */
	unsigned silent;          /* time-outs in a row */
	bool was_late;            /* the last answer was late */
	unsigned pieces, damaged; /* data frames since the frame length was last adjusted */
	unsigned clean;           /* lots in a row without damage */
};

/* bit_rate: bits per second on the wire, 0: unknown. */
void pace_init(struct pace *pace, uint32_t bit_rate);
/* Sets the longest frame that the target sends. A new value is tried at once. */
void pace_set_frame(struct pace *pace, unsigned frame);

/* How long the line may be silent before outstanding requests are given up as lost. */
unsigned pace_retransmit_timeout(const struct pace *pace);
/* The line was silent for this time before a byte arrived. is_whole: the silence was a complete round trip. */
void pace_note_wait(struct pace *pace, uint64_t milliseconds, bool is_whole);
/* The retransmit time-out passed, with noise or in silence. */
void pace_note_timeout(struct pace *pace, bool was_noisy);
/* True from a time-out until an answer: more requests would only keep the line from recovering. */
bool pace_is_silent(const struct pace *pace);
/* How long to wait for an intact frame despite any amount of noise. */
unsigned pace_limit(const struct pace *pace);
/* An answer arrived, in time or late. milliseconds: since its request, or since its request was given up. */
void pace_note_timely(struct pace *pace, uint64_t milliseconds);
void pace_note_late(struct pace *pace, uint64_t milliseconds);
/* Whether an answer to a request may arrive after this time. */
bool pace_may_be_answered(const struct pace *pace, uint64_t milliseconds);
/* A data frame arrived, intact or damaged. */
void pace_note_frame(struct pace *pace, bool is_damaged);
/* A request for this many bytes was answered in this time. */
void pace_note_range(struct pace *pace, uint32_t size, uint64_t milliseconds);

#endif
