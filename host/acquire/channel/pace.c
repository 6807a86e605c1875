/* SPDX-License-Identifier: MIT */
/* See pace.h. */
#include "acquire/channel/pace.h"

#include <bareprof/frame.h>
#include <limits.h>

/* Bounds of pace_retransmit_timeout(). The lower bound allows for a USB serial adapter that holds bytes back for 16 ms,
 * and for a busy computer. The upper bound keeps recovery from a lost request quick. */
#define RETRANSMIT_MIN   50
#define RETRANSMIT_MAX   1000
#define RETRANSMIT_FIRST 250

/* Bits of a request and the shortest answer on a line, with start and stop bits. */
#define EXCHANGE_BITS (64 * 10)

/* Bytes of a frame in addition to its data: zero bytes, COBS, head, offset, counts of a run, CRC. */
#define FRAME_OVERHEAD 13

/* Frames are counted in lots; after this many lots without damage, longer frames are tried. */
#define LOT        16
#define CLEAN_LOTS 4

/* How long the answer to one request should take: long enough for the next request to arrive meanwhile, short enough
 * that a lost request does not hold up the line. */
#define RANGE_FAST  100
#define RANGE_SLOW  400
#define RANGE_MIN   256
#define RANGE_FIRST 4096 /* if the line's rate is unknown */
#define RANGE_MAX   16384

/* The number of bytes that the line carries in a quarter of a second. */
static uint32_t first_range(uint32_t bit_rate)
{
	uint32_t range = RANGE_MIN;

	if (bit_rate == 0)
		return RANGE_FIRST;
	while (range < RANGE_MAX && range * 2 <= bit_rate / 10 / 4)
		range *= 2;
	return range;
}

/* The longest frame that the line carries in a second; a longer one would time out. */
static unsigned longest_frame(uint32_t bit_rate)
{
	if (bit_rate == 0 || bit_rate / 10 > BAREPROF_FRAME_MAX)
		return BAREPROF_FRAME_MAX;
	return bit_rate / 10 > BAREPROF_FRAME_MIN ? bit_rate / 10 : BAREPROF_FRAME_MIN;
}

void pace_init(struct pace *pace, uint32_t bit_rate)
{
	*pace = (struct pace){
	        .frame = BAREPROF_FRAME_MIN,
	        .frame_max = BAREPROF_FRAME_MIN,
	        .range = first_range(bit_rate),
	        .frame_longest = longest_frame(bit_rate),
	        .quickest = UINT_MAX,
	        .slack = bit_rate ? EXCHANGE_BITS * 1000 / bit_rate : 0,
	};
}

void pace_set_frame(struct pace *pace, unsigned frame)
{
	if (frame > pace->frame_longest)
		frame = pace->frame_longest;
	if (frame == pace->frame_max)
		return;
	pace->frame = pace->frame_max = frame;
	pace->pieces = pace->damaged = pace->clean = 0;
}

unsigned pace_retransmit_timeout(const struct pace *pace)
{
	unsigned longest = RETRANSMIT_MAX + pace->slack;
	unsigned timer = pace->round_trip ? 3 * pace->round_trip : RETRANSMIT_FIRST + pace->slack;

	if (timer < RETRANSMIT_MIN)
		timer = RETRANSMIT_MIN;
	for (unsigned i = 0; i < pace->silent && timer < longest; i++)
		timer *= 2;
	return timer < longest ? timer : longest;
}

/* Long enough for the longest frames, which take a second. */
unsigned pace_limit(const struct pace *pace)
{
	return 2 * (RETRANSMIT_MAX + pace->slack);
}

/* The estimate rises at once and falls slowly: waiting too long costs less than repeating a request whose answer is in
 * flight. */
void pace_note_wait(struct pace *pace, uint64_t milliseconds, bool is_whole)
{
	unsigned longest = RETRANSMIT_MAX + pace->slack;
	unsigned waited = milliseconds < longest ? (unsigned)milliseconds : longest;

	if (waited > pace->round_trip)
		pace->round_trip = waited;
	else if (is_whole)
		pace->round_trip -= (pace->round_trip - waited + 1) / 2;
	if (pace->round_trip == 0)
		pace->round_trip = 1;
}

/* After noise the next wait need not be longer: noise shows that the target is there. */
void pace_note_timeout(struct pace *pace, bool was_noisy)
{
	pace->silent = was_noisy ? 0 : pace->silent + 1;
}

void pace_note_timely(struct pace *pace, uint64_t milliseconds)
{
	if (milliseconds < pace->quickest)
		pace->quickest = (unsigned)milliseconds;
	pace->silent = 0;
	pace->was_late = false;
}

/* A single late answer is ignored: a request that lost its last byte is complete only when the next one begins. */
void pace_note_late(struct pace *pace, uint64_t milliseconds)
{
	pace->silent = 0;
	if (pace->was_late)
		pace_note_wait(pace, milliseconds, false);
	pace->was_late = true;
}

/* Noise counts as answers only as fast as real answers come, so that endless noise cannot trigger a flood of
 * requests. */
bool pace_may_be_answered(const struct pace *pace, uint64_t milliseconds)
{
	return milliseconds > 0 && milliseconds >= pace->quickest;
}

bool pace_is_silent(const struct pace *pace)
{
	return pace->silent > 0;
}

/* If a fraction s of the frames of length L survives, a fraction sqrt(s) of frames half as long survives. With an
 * overhead of h bytes, half the length is better if s (L - h) < sqrt(s) (L - 2h), that is, if more than about 2h / L of
 * the frames are lost. */
void pace_note_frame(struct pace *pace, bool is_damaged)
{
	pace->damaged += is_damaged;
	bool is_too_long = pace->damaged * pace->frame > 2 * FRAME_OVERHEAD * LOT;
	if (++pace->pieces < LOT && !is_too_long)
		return;
	pace->clean = pace->damaged == 0 ? pace->clean + 1 : 0;
	if (is_too_long) {
		pace->frame = pace->frame / 2 > BAREPROF_FRAME_MIN ? pace->frame / 2 : BAREPROF_FRAME_MIN;
	} else if (pace->clean == CLEAN_LOTS) {
		pace->frame = pace->frame * 2 < pace->frame_max ? pace->frame * 2 : pace->frame_max;
		pace->clean = 0;
	}
	pace->pieces = pace->damaged = 0;
}

void pace_note_range(struct pace *pace, uint32_t size, uint64_t milliseconds)
{
	if (milliseconds > RANGE_SLOW && pace->range > RANGE_MIN)
		pace->range /= 2;
	else if (milliseconds < RANGE_FAST && size == pace->range && pace->range < RANGE_MAX)
		pace->range *= 2;
}
