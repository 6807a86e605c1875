/* SPDX-License-Identifier: MIT */
/*
 * A channel and its target, both in memory, on a clock of their own that only waiting moves. The line has a rate, a
 * delay and faults. Written from docs/FORMAT.md, section 13; shares no code with the host or the target.
 */
#ifndef UNIT_ACQUIRE_CHANNEL_FAKE_H
#define UNIT_ACQUIRE_CHANNEL_FAKE_H

#include "acquire/channel/client.h"

#define FAKE_MEMORY_MAX 0x10000
#define FAKE_LINE_MAX   0x40000

/* Faults in each million bytes. */
struct fake_faults {
	unsigned flipped, dropped, doubled, inserted;
};

struct fake_byte {
	uint8_t byte;
	uint64_t at; /* time of arrival in microseconds */
};

/* One direction of the line. */
struct fake_line {
	struct fake_faults faults;
	struct fake_byte bytes[FAKE_LINE_MAX];
	size_t head, tail; /* bytes received and sent */
	uint64_t free_at;  /* when the last byte has been sent */
};

struct fake_read {
	unsigned sequence;
	uint32_t next, end;
	size_t limit;
};

struct fake {
	/* Set these between fake_init() and fake_open(). */
	uint32_t memory_size;
	unsigned blocks, frame;
	uint64_t address;
	uint32_t baud;     /* 0: infinite */
	uint32_t delay;    /* of the line, in each direction, in microseconds */
	uint32_t bit_rate; /* as the channel reports it; 0: unknown */
	uint32_t latency;  /* the host's adapter delivers bytes at multiples of this many microseconds; 0: at once */
	unsigned timeout;  /* of the channel, milliseconds */
	uint64_t seed;     /* of faults */
	bool only_sends;   /* ignores requests */
	bool is_dead;      /* accepts requests and sends nothing */
	uint64_t lost_requests, lost_answers; /* bit n: the one with this number, from 0, is lost */
	uint64_t damaged_answers;             /* the same, but a bit of it changes */
	uint64_t pauses;                      /* bit n: the target does nothing for a second before this answer */
	size_t breaks_after[8]; /* bytes to the host after which the channel breaks, in order; 0: no more */
	uint64_t away;          /* milliseconds for which it cannot be opened after a break */
	uint64_t open_time;     /* milliseconds that an attempt to open it takes */
	unsigned refuses;       /* reason for which reads and writes are refused; 0: they are not */
	bool (*idle)(void);     /* sends something by itself when there is nothing else to do; false = done */
	void (*answer)(const uint8_t *content, size_t size); /* replaces the target */
	const char *greeting;                                /* printed when the channel is opened again */
	const char *chatter;                                 /* printed after each frame */
	bool breaks_repeat;                                  /* the last of breaks_after applies repeatedly */
	bool pause_cancelled;                                /* every pause is cancelled */
	unsigned cancel_after;                               /* reads of the channel; 0: never */
	unsigned stops_after;                                /* calls of progress(), then the host stands still */
	uint64_t stop_time;                                  /* for this many milliseconds */

	/* Results. */
	uint8_t memory[FAKE_MEMORY_MAX];
	unsigned requests, identifies, reads, writes, answers_sent, frame_longest, frame_shortest_asked;
	uint64_t bytes_sent; /* to the host */
	unsigned opened, closed;
	uint8_t text[0x10000]; /* passed to the observer */
	size_t text_size;
	uint64_t progress_done, progress_total;
	unsigned progress_calls, breaks_reported, reopenings_reported;

	struct client *client; /* NULL: not open */

	/* Private. */
	struct source source;
	struct channel channel;
	struct fake_line to_host, to_target;
	uint8_t piece[64];
	size_t piece_size;
	struct fake_read read, waiting;
	uint64_t away_until;
	unsigned breaks, channel_reads;
	uint64_t now;     /* microseconds */
	uint64_t counter; /* for idle() and answer() */
};

extern const struct channel_ops fake_ops;

/* The only one. It is zero, or was initialized. */
extern struct fake fake;

/* Closes the client, and begins again with a target of 16 KB of half empty memory on a line of 115,200 baud. */
void fake_init(void);
/* Closes the client, if there is one, and fails the test unless each opened channel is closed. */
void fake_close(void);
/* The two as a fixture. */
int fake_set_up(void **state);
int fake_tear_down(void **state);
/* Opens the client; fails the test if that fails. */
void fake_open_client(void);
enum status fake_open(struct error *error);
/* Reads and compares memory. */
void fake_check_memory(uint32_t offset, size_t size);
uint64_t fake_milliseconds(void);

/* For answer() and idle(). */
void fake_send_bytes(const void *bytes, size_t size);
/* Sends a frame with this head and body. */
void fake_send_frame(const uint8_t *content, size_t size);
void fake_send_identity(unsigned sequence);
/* Sends one frame of memory from offset on; returns its end. */
uint32_t fake_send_data(unsigned sequence, uint32_t offset, uint32_t end, size_t limit);
/* Answers as the target does. */
void fake_answer(const uint8_t *content, size_t size);

/* An idle() that sends without end. */
bool fake_send_noise(void);
bool fake_send_zeros(void);

#endif
