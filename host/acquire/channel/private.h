/* SPDX-License-Identifier: MIT */
/* The state of a client, private to client.c, session.c, requests.c, answers.c and timeout_diagnosis.c. */
#ifndef ACQUIRE_CHANNEL_PRIVATE_H
#define ACQUIRE_CHANNEL_PRIVATE_H

#include "acquire/channel/client.h"
#include "acquire/channel/frame.h"
#include "acquire/channel/pace.h"
#include "acquire/channel/transmission.h"
#include "acquire/channel/window.h"
#include "base/clock.h"

#define SEQUENCE_MAX 15

/* A request, indexed by its sequence number. Its answer is accepted even after the request was given up. */
struct request {
	uint8_t type; /* 0: none */
	bool is_outstanding;
	uint32_t start, end;   /* the memory that a READ requests */
	uint32_t next;         /* everything before this offset arrived or is lost */
	uint32_t lost;         /* minimum number of bytes after `next` that damaged frames must have held */
	uint64_t order;        /* number of the request */
	uint64_t sent;         /* time in milliseconds */
	uint64_t silent_since; /* if the line was silent when the request was given up: start of the silence; else 0 */
	bool is_answered;      /* at least in part */
};

/* How often and why the channel broke since the last progress. */
struct breaks {
	unsigned count;
	char reason[128];  /* reason of the last break */
	char problem[512]; /* why reopening failed; empty: it was not tried, or did not fail */
	char line[80];     /* the last line of text */
	size_t line_size;
	bool is_line_over;
};

struct client {
	struct channel *channel; /* NULL: it is broken */
	const struct channel_ops *ops;
	const struct clock *clock;
	const struct source *source;
	struct target_observer observer;
	int cancel;
	unsigned timeout;
	struct breaks breaks;

	struct frame_decoder decoder;
	uint8_t last_byte;
	uint8_t text[1024]; /* not yet passed to the observer */
	size_t text_size;
	uint8_t first_text[64]; /* the very first text */
	size_t first_text_size;

	struct request requests[SEQUENCE_MAX + 1];
	unsigned sequence;  /* number of the last request */
	unsigned under_way; /* outstanding requests */
	uint64_t order;     /* order of the last request */
	uint64_t last_read; /* order of the last READ */
	uint64_t settled;   /* order up to which all requests were answered completely */

	/* Times, in milliseconds: */
	uint64_t last_opening;  /* the last attempt to open the channel */
	uint64_t last_sent;     /* the last request was sent */
	uint64_t last_good;     /* the last intact frame */
	uint64_t last_received; /* the last byte that may belong to a frame */
	uint64_t last_ended;    /* the last request ended */
	uint64_t progress;      /* the operation began, or new memory arrived */
	unsigned unproven;      /* bytes since the last request or intact frame: part of a frame, or noise */
	struct pace pace;

	struct identity identity;
	struct transmission transmission;
	uint32_t max; /* largest number of bytes received of any transmission */

	/* The current operation, apart from identifying the target. */
	uint32_t write_offset, write_value;
	struct window window; /* for client_read(); zeros = nothing is missing */
	bool is_writing;
	bool is_identified;

	bool is_unreceived; /* nothing arrived since the last request */
	bool was_alone;     /* no other request was outstanding when the last one was sent */
	bool is_known;      /* identity is valid */
	bool is_sender;     /* the target only sends; transmission is its memory */
	bool was_broken;    /* the channel was reopened, and the target has not identified itself since */

	struct link_traffic traffic, traffic_at_progress;
};

/* session.c: runs the current operation to its end, and waits until the time `until` if that is later. */
enum status client_run_operation(struct client *client, uint64_t until, struct error *error);
/* Begins an operation and its time-out. */
void client_begin_operation(struct client *client);

/* requests.c: new memory arrived, or an operation begins; the time-out starts again. */
void client_note_progress(struct client *client);
/* Sends the requests that are due. */
enum wait_result requests_send(struct client *client);
/* Ends all outstanding requests before this order: missing parts of their answers are lost. */
void requests_pass(struct client *client, uint64_t order);
/* A damaged frame of this size arrived: counts as lost the data of an outstanding request that the frame must have
 * held. */
void requests_note_damaged(struct client *client, size_t size);
/* A request was answered completely. */
void requests_finish(struct client *client, struct request *request);
/* Drops all requests; their answers are ignored. */
void requests_forget(struct client *client);

/* answers.c: processes the frame in the decoder. */
enum status answers_take(struct client *client, struct error *error);

/* timeout_diagnosis.c: the channel broke; it is not closed yet. */
void timeout_diagnosis_note_break(struct client *client);
/* The channel was reopened or, if problem is not NULL, could not be reopened. */
void timeout_diagnosis_note_opening(struct client *client, const struct error *problem);
void timeout_diagnosis_note_text(struct client *client, const uint8_t *text, size_t size);
/* The error for a time-out. The likely cause is judged by the bytes that arrived since the last progress. */
enum status timeout_diagnosis_fail(const struct client *client, struct error *error);

#endif
