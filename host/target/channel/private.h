/* SPDX-License-Identifier: MIT */
/* The state of a client and its parts. Private to client.c, session.c, requests.c, answers.c, breaks.c and
 * silence.c. */
#ifndef TARGET_CHANNEL_PRIVATE_H
#define TARGET_CHANNEL_PRIVATE_H

#include "base/clock.h"
#include "target/channel/client.h"
#include "target/channel/frame.h"
#include "target/channel/pace.h"
#include "target/channel/sending.h"
#include "target/channel/window.h"

#define SEQUENCE_MAX 15

/* A request of what the client is about now, by its sequence. Once it is given up its answer is still welcome. */
struct request {
	uint8_t type; /* 0 = none */
	bool is_outstanding;
	uint32_t start, end;   /* of the memory that a READ is for */
	uint32_t next;         /* what lies before it came, or will not come */
	uint32_t lost;         /* bytes behind that, at least, that damaged frames must have been of */
	uint64_t order;        /* rises with each request */
	uint64_t sent;         /* when: milliseconds */
	uint64_t silent_since; /* since when nothing had come when it was given up; 0 = it was not */
	bool is_answered;      /* in part at least */
};

/* How the channel broke since there was progress. */
struct breaks {
	unsigned count;
	char reason[128];  /* of the last one */
	char problem[512]; /* why it could not be opened again; "" = it could, or that was not tried yet */
	char line[80];     /* of text, that came last */
	size_t line_size;
	bool is_line_over;
};

struct client {
	struct channel *channel; /* NULL = it is broken */
	const struct channel_ops *ops;
	const struct clock *clock;
	const struct source *source;
	struct client_observer observer;
	int cancel;
	unsigned timeout;
	struct breaks breaks;

	struct frame_decoder decoder;
	uint8_t last_byte;
	uint8_t text[1024]; /* that the observer was not yet told of */
	size_t text_size;
	uint8_t first_text[64]; /* of all that came */
	size_t first_text_size;

	struct request requests[SEQUENCE_MAX + 1];
	unsigned sequence;  /* of the last request */
	unsigned under_way; /* requests that are outstanding */
	uint64_t order;     /* of the last request */
	uint64_t last_read; /* order of the last READ */
	uint64_t settled;   /* order of the last request that was answered to its end, and so all before it */

	/* Times, in milliseconds: */
	uint64_t last_opening;  /* when the channel was opened, or it was tried, */
	uint64_t last_sent;     /* of the last request, */
	uint64_t last_good;     /* of the last frame that held, */
	uint64_t last_received; /* of the last byte that may be of a frame, */
	uint64_t last_ended;    /* of the end of a request, */
	uint64_t progress;      /* and when the errand began or new memory came last */
	unsigned unproven; /* bytes since the last request or frame that may be of one that is arriving, or noise */
	struct pace pace;

	struct identity identity;
	struct sending sending;
	uint32_t max; /* bytes of any sending that came */

	/* What is still to be done: all of it is one errand, and to be identified. */
	uint32_t write_offset, write_value;
	struct window window; /* of client_read(); zeros = nothing is missing */
	bool is_writing;
	bool is_identified;

	bool is_unreceived; /* nothing came since the last request, */
	bool was_alone;     /* and nothing was under way when it was sent */
	bool is_known;      /* identity is that of the target */
	bool is_sender;     /* it only sends: sending is its memory */
	bool was_broken;    /* the channel was opened again, and the target did not yet say who it is */

	struct client_traffic traffic, traffic_at_progress;
};

/* session.c */
/* Does what is to be done, and waits until the time `until` if that is later. */
enum status client_run_operation(struct client *client, uint64_t until, struct error *error);
/* Something is to be done: the time-out begins. */
void client_begin_operation(struct client *client);

/* requests.c */
/* New memory came, or an operation begins: the time-out starts again. */
void client_note_progress(struct client *client);
/* Sends what is to be asked for now. */
enum wait_result requests_send(struct client *client);
/* Everything under way before this order is over: what did not come of it is lost. */
void requests_pass(struct client *client, uint64_t order);
/* A frame came damaged, so long between its zero bytes: what it must have been of what is under way is lost. */
void requests_note_damaged(struct client *client, size_t size);
/* The request was answered to its end. */
void requests_finish(struct client *client, struct request *request);
/* None is under way, and answers to earlier ones are not welcome. */
void requests_forget(struct client *client);

/* answers.c */
/* Takes the frame in the decoder. */
enum status answers_take(struct client *client, struct error *error);

/* breaks.c */
/* The channel, which is still there, broke. */
void reconnect_note_break(struct client *client);
/* It was opened again; or not, because of a problem. */
void reconnect_note_opening(struct client *client, const struct error *problem);
void reconnect_note_text(struct client *client, const uint8_t *text, size_t size);
/* How often it broke, why, and what was said. */
void reconnect_explain(const struct client *client, char *text, size_t capacity);

/* silence.c */
/* The error for a time-out: what was heard since there was progress, and what it may come from. */
enum status timeout_diagnosis_fail(const struct client *client, struct error *error);

#endif
