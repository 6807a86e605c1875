/* SPDX-License-Identifier: MIT */
/*
 * The link: lets a host fetch the profile block, and start, stop and reset the profile, over any pipe of bytes: a UART,
 * USB CDC, a socket. Include it in the file with BAREPROF_DEFINE, write BAREPROF_LINK(...) behind that, and call
 * bareprof_poll() from the main loop. docs/CHANNELS.md has the wiring and the lines to add for each kind of pipe.
 *
 * The pipe may carry other text as well, such as a console's: the host tells them apart by the zero bytes around
 * frames. Through frames, whoever crafts them, nothing but the block can be read, and nothing but its control words
 * written.
 */
#ifndef BAREPROF_LINK_H
#define BAREPROF_LINK_H

#include <bareprof/bareprof.h>
#include <bareprof/frame.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What BAREPROF_LINK takes besides the size of its frames, as designated initialisers, in C++ in this order. All of it
 * lies in flash. Called from bareprof_poll() and bareprof_send() only; both return at once. */
struct bareprof_pipe {
	/* Takes some of the bytes, as many as there is room for, and returns how many. */
	size_t (*write)(const uint8_t *bytes, size_t size);
	/* Gives some bytes that came, size at the most, and returns how many. NULL: the pipe sends only. */
	size_t (*read)(uint8_t *bytes, size_t size);
	/* Takes a byte that came and belongs to no frame: what was typed at a console. NULL: it is dropped. */
	void (*text)(uint8_t byte);
};

/* Emitted by BAREPROF_LINK; not for applications. */
struct bareprof_link {
	struct bareprof_pipe pipe;
	uint8_t *frame;       /* the buffer of one frame to be sent */
	uint32_t memory_size; /* of all blocks */
	uint32_t identity;    /* the first bytes of its frame: version, blocks, frame size */
	uint16_t frame_size;
};
extern const struct bareprof_link bareprof_link;

/*
 * Defines the link. Write it once, at file scope:
 *
 *	BAREPROF_LINK(128, .write = uart_write, .read = uart_read);
 *
 * size: bytes of RAM for the frame that is being sent, 64 to 1,024. A length of 128 leaves 90 % of the line to the
 * block, one of 256 leaves 95 %, and takes bareprof_poll() longer to fill. Where the line loses bytes, the host asks
 * for shorter ones. The link takes some 60 bytes of RAM beside it.
 */
#define BAREPROF_LINK(size, ...)                                                                   \
	BAREPROF_STATIC_ASSERT(sizeof(bareprof_block) <= BAREPROF_MEMORY_MAX,                      \
	                       "bareprof: the link reaches 16 MB of blocks");                      \
	BAREPROF_STATIC_ASSERT((size) >= BAREPROF_FRAME_MIN && (size) <= BAREPROF_FRAME_MAX,       \
	                       "bareprof: frames have 64 to 1,024 bytes");                         \
	static uint8_t bareprof_link_frame[size];                                                  \
	BAREPROF_BEGIN_DEFAULTS __attribute__((used)) const struct bareprof_link bareprof_link = { \
	        {__VA_ARGS__},                                                                     \
	        bareprof_link_frame,                                                               \
	        sizeof(bareprof_block),                                                            \
	        BAREPROF_LINK_VERSION | (BAREPROF_CORES - 1) << 8 | (uint32_t)(size) << 16,        \
	        (size),                                                                            \
	};                                                                                         \
	BAREPROF_END_DEFAULTS                                                                      \
	BAREPROF_STATIC_ASSERT(sizeof(bareprof_link_frame) == (size), "bareprof: one link to a firmware")

/*
 * Takes some of what came, and sends some of what was asked for, as far as the pipe takes it: a bounded piece of work,
 * of at most one frame. Call it from one place, where the firmware waits or goes round: the main loop, an idle task.
 * May be interrupted by anything; may be called before bareprof_init(), which the host then is told of by the block's
 * own bytes.
 */
void bareprof_poll(void);

/*
 * Sends all blocks once, unasked, and returns when the pipe has taken all of it: for pipes that send only, and firmware
 * that ends. What is lost on the way stays lost; the host then says so. Not while bareprof_poll() runs.
 */
void bareprof_send(void);

#ifdef __cplusplus
}
#endif

#endif
