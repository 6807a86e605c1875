/* SPDX-License-Identifier: MIT */
/* The host's end of a link: reads memory completely, even if the channel loses or changes frames, and writes control
 * words. */
#ifndef ACQUIRE_CHANNEL_CLIENT_H
#define ACQUIRE_CHANNEL_CLIENT_H

#include "acquire/channel/channel.h"
#include "acquire/observer.h"
#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

struct client;

/* Statistics for the user. */
struct link_traffic {
	uint64_t bytes_received, bytes_sent; /* including text and noise */
	uint64_t text_bytes, noise_bytes;    /* received; the rest is intact frames and zero bytes */
	uint64_t payload_bytes;              /* bytes of memory before packing, counted each time they arrive */
	uint64_t data_bytes;                 /* size on the line of the data frames that contain them */
	uint64_t frames_received;            /* intact */
	uint64_t frames_unexpected;          /* ignored frames: no answer to a request, or an impossible one */
	uint64_t frames_damaged;             /* noise as long as a frame */
	uint64_t echoes;            /* own requests that came back, and zero bytes that came back as a terminal's ^@ */
	uint64_t requests, repeats; /* all requests, and requests repeated because of losses; repeated identification
	                               counts only after the first answer */
	uint64_t round_trips;       /* requests sent while no other was outstanding, which each wait for a round trip */
	unsigned reconnections;
	double seconds; /* time spent in client_open(), client_read() and client_write() */
};

/* The part of the target's memory that the link reaches: its blocks, in a row. */
struct client_identity {
	uint64_t address; /* address of the first byte */
	uint32_t block_size;
	unsigned block_count;
};

/* Asks the target to identify itself. Takes ownership of the channel, and closes it on failure, too. A broken channel
 * is opened again from source, which must outlive the client, until the time-out. If the target does not answer but
 * sends on its own (bareprof_send()), its memory is received once. Fails if no new byte of memory arrives for
 * channel->timeout milliseconds, even if the target sends other data. */
enum status client_open(struct channel *channel, const struct source *source, int cancel,
                        const struct target_observer *observer, struct client **client, struct error *error);
/* Closes the channel, too. NULL is allowed. */
void client_close(struct client *client);

/* The memory found by client_open(). */
const struct client_identity *client_get_identity(const struct client *client);
/* Reads all or nothing, at any offset and size within the memory. Keeps several frames in flight, requests lost ones
 * again, and asks for shorter frames if many are lost. */
enum status client_read(struct client *client, uint32_t offset, void *bytes, size_t size, struct error *error);
/* Writes a control word of a block. */
enum status client_write(struct client *client, uint32_t offset, uint32_t value, struct error *error);
/* False if the target only sends. */
bool client_can_write(const struct client *client);
/* Receives for this time, passing on text. */
enum status client_wait(struct client *client, unsigned milliseconds, struct error *error);

struct link_traffic client_traffic(const struct client *client);

#endif
