/* SPDX-License-Identifier: MIT */
/*
 * A channel with a target behind it, both in memory, on a clock of their own that only waiting moves. The line has a
 * rate and a delay, and does to bytes what it is told to. Written from docs/FORMAT.md, section 13, without the code of
 * host or target.
 */
#ifndef UNIT_TARGET_CHANNEL_FAKE_H
#define UNIT_TARGET_CHANNEL_FAKE_H

#include "target/channel/client.h"

#define FAKE_MEMORY_MAX 0x10000
#define FAKE_LINE_MAX   0x40000

/* In each million bytes. */
struct fake_faults {
	unsigned flipped, dropped, doubled, inserted;
};

struct fake_byte {
	uint8_t byte;
	uint64_t at; /* microseconds */
};

/* One direction of the line. */
struct fake_line {
	struct fake_faults faults;
	struct fake_byte bytes[FAKE_LINE_MAX];
	size_t head, tail; /* counts of bytes */
	uint64_t free_at;  /* the last byte is out */
};

struct fake_read {
	unsigned sequence;
	uint32_t next, end;
	size_t limit;
};

struct fake {
	/* To be set between fake_init() and fake_open(). */
	uint32_t memory_size;
	unsigned blocks, frame;
	uint64_t address;
	uint32_t baud;     /* 0: takes no time */
	uint32_t delay;    /* of the line, each way, microseconds */
	uint32_t bit_rate; /* what the channel says of that; 0 = not known */
	uint32_t lump;     /* the host's adapter hands bytes on so often, microseconds; 0 = at once */
	unsigned timeout;  /* of the channel, milliseconds */
	uint64_t seed;     /* of faults */
	bool only_sends;   /* does not hear */
	bool is_dead;      /* hears, and says nothing */
	uint64_t lost_requests, lost_answers; /* bit n: the one of this number, from 0, does not arrive */
	uint64_t damaged_answers;             /* the same, of a bit that is changed */
	uint64_t doubled_answers;
	uint64_t pauses;        /* bit n: before this answer the target does nothing for a second */
	size_t breaks_after[8]; /* bytes to the host at which the channel breaks, one after the other; 0 = no more */
	uint64_t away;          /* milliseconds that it cannot be opened after that */
	uint64_t open_takes;    /* milliseconds that an attempt to open takes */
	unsigned refuses;       /* reads and writes, for this reason */
	bool (*says)(struct fake *fake); /* what it says by itself when it has nothing to do; false = nothing more */
	void (*answers)(struct fake *fake, const uint8_t *content, size_t size); /* in place of the target */
	const char *greeting;  /* printed as the channel is opened again */
	const char *chatter;   /* printed behind each frame */
	bool breaks_repeat;    /* the last of breaks_after holds for ever */
	bool pause_cancelled;  /* every pause is cancelled */
	unsigned cancel_after; /* reads of the channel; 0 = never */
	unsigned stops_after;  /* tellings of progress; then the host does nothing for the time `stops`, in milliseconds
	                        */
	uint64_t stops;

	/* To be looked at. */
	uint8_t memory[FAKE_MEMORY_MAX];
	unsigned requests, identifies, reads, writes, answers_sent, frame_longest, frame_shortest_asked;
	uint64_t bytes_sent; /* to the host */
	unsigned opened, closed;
	uint8_t text[0x10000]; /* that the observer was told of */
	size_t text_size;
	uint64_t progress_done, progress_total;
	unsigned progress_told;
	unsigned breaks_told, reopenings_told;

	/* The rest is its own. */
	struct source source;
	struct channel channel;
	struct fake_line to_host, to_target;
	uint8_t piece[64];
	size_t piece_size;
	struct fake_read read, waiting;
	uint64_t away_until;
	unsigned breaks, channel_reads;
	uint64_t now;     /* microseconds */
	uint64_t counter; /* for says() */
};

extern const struct channel_ops fake_ops;

/* A target of 16 KB of half empty memory at a line of 115,200 baud. There is one fake at a time. */
void fake_init(struct fake *fake);
enum status fake_open(struct fake *fake, struct client **client, struct error *error);
/* Or the test fails. */
struct client *fake_open_client(struct fake *fake);
uint64_t fake_milliseconds(const struct fake *fake);

/* For answers() and says(). */
void fake_send_bytes(struct fake *fake, const void *bytes, size_t size);
/* Frames head and body. */
void fake_send_frame(struct fake *fake, const uint8_t *content, size_t size);
void fake_send_identity(struct fake *fake, unsigned sequence);
/* Sends one frame of this stretch; returns where it ended. */
uint32_t fake_send_data(struct fake *fake, unsigned sequence, uint32_t offset, uint32_t end, size_t limit);
/* What the target would do. */
void fake_answer(struct fake *fake, const uint8_t *content, size_t size);

/* For says: without end. */
bool fake_says_noise(struct fake *fake);
bool fake_says_zeros(struct fake *fake);

#endif
