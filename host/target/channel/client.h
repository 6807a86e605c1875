/* SPDX-License-Identifier: MIT */
/*
 * The host's end of a link: asks for memory until all of it came, whatever the channel does to frames, and writes
 * control words. Knows nothing of blocks.
 */
#ifndef TARGET_CHANNEL_CLIENT_H
#define TARGET_CHANNEL_CLIENT_H

#include "base/status.h"
#include "target/channel/channel.h"

#include <stdbool.h>
#include <stdint.h>

struct client;

/* What went over the channel, for the user. */
struct client_traffic {
	uint64_t bytes_received, bytes_sent; /* all of them, text and noise included */
	uint64_t text_bytes, noise_bytes; /* of those received; what is neither is frames that held, and zero bytes */
	uint64_t payload_bytes;           /* of memory, each time it was fetched, before zero runs were packed */
	uint64_t data_bytes;              /* on the line, of the data frames that brought it */
	uint64_t frames_received;         /* whose CRC held */
	uint64_t frames_unexpected;       /* of those, that answer nothing, or with what cannot be: they were ignored */
	uint64_t frames_damaged;          /* noise that is long enough for a frame */
	uint64_t echoes; /* requests that came back, and zero bytes, as are around them, that came as a terminal's ^@ */
	uint64_t requests, repeats; /* all of them, and those that asked again for what was lost; not who the target
	                               is, until it first answered */
	uint64_t round_trips; /* requests at which nothing else was under way: an answer's way had to be waited for */
	unsigned reconnections;
	double seconds; /* that client_open(), client_read() and client_write() took */
};

/* Who is told of what happens meanwhile. Each may be NULL. */
struct client_observer {
	void *context;
	/* Text that came between frames: a console's. */
	void (*text)(void *context, const uint8_t *bytes, size_t size);
	/* Of a read: so many bytes of all that were asked for are there. */
	void (*progress)(void *context, uint64_t done, uint64_t total);
	/* What the user ought to know of what was read: a line, without a newline. */
	void (*note)(void *context, const char *text);
	/* The channel broke and is being opened again, or is open again. */
	void (*broken)(void *context, bool is_broken);
	/* What goes to and fro, a line for each transfer, without a newline. */
	void (*trace)(void *context, const char *line);
};

/* Of the target: its blocks, one behind the other, are the memory that the link gives access to. */
struct client_identity {
	uint64_t address; /* of the first byte */
	uint32_t block_size;
	unsigned block_count;
};

/*
 * Takes over the channel, also on failure, and asks the target to identify itself. If the channel breaks, it is opened
 * again by source, which must outlive the client, until the time-out. A target that does not answer but sends by itself
 * (bareprof_send()) is listened to until it sent its memory once. Fails if no new byte of memory arrives for
 * channel->timeout milliseconds, whatever else the target sends.
 */
enum status client_open(struct channel *channel, const struct source *source, int cancel,
                        const struct client_observer *observer, struct client **client, struct error *error);
/* Closes the channel, too. NULL is allowed. */
void client_close(struct client *client);

const struct client_identity *client_identify(const struct client *client);
/* All or nothing; offset and size may be any within the memory. Several frames are asked for ahead, and what is lost is
 * asked for again, in shorter frames where many are. */
enum status client_read(struct client *client, uint32_t offset, void *bytes, size_t size, struct error *error);
/* Writes a control word of a block. */
enum status client_write(struct client *client, uint32_t offset, uint32_t value, struct error *error);
/* False if the target only sends. */
bool client_can_write(const struct client *client);
/* Takes what comes for so long: text is passed on. */
enum status client_wait(struct client *client, unsigned milliseconds, struct error *error);

struct client_traffic client_traffic(const struct client *client);

#endif
