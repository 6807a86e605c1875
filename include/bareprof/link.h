/* SPDX-License-Identifier: MIT */
/*
 * The link: lets a host fetch the profile block, and start, stop and reset the profile, over any pipe of bytes: a UART,
 * USB CDC, a socket. Include this header in the file with BAREPROF_DEFINE, write BAREPROF_LINK(...) after it, and call
 * bareprof_poll() from the main loop. docs/CHANNELS.md has the wiring, and the lines to add for each kind of pipe.
 *
 * The pipe may carry other text as well, such as a console's: the zero bytes around frames separate them.
 * Frames, even malicious ones, can read nothing but the block and write nothing but its control words.
 */
#ifndef BAREPROF_LINK_H
#define BAREPROF_LINK_H

#include <bareprof/bareprof.h>
#include <bareprof/frame.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The pipe: the arguments of BAREPROF_LINK after the size, as designated initialisers (in C++ in this order). All of it
 * is in flash. Its functions are called from bareprof_poll() and bareprof_send() only, and must not wait.
 */
struct bareprof_pipe {
	/*
	 * Accepts as many bytes as there is room for, and returns their number. The next call offers the rest again,
	 * from the same address.
	 */
	size_t (*write)(const uint8_t *bytes, size_t size);
	/* Stores up to size received bytes and returns how many. NULL: the pipe only sends. */
	size_t (*read)(uint8_t *bytes, size_t size);
	/*
	 * Receives each byte that belongs to no frame, such as input typed at a console. NULL: those bytes are dropped.
	 */
	void (*text)(uint8_t byte);
};

/* Emitted by BAREPROF_LINK; not for applications. */
struct bareprof_link {
	struct bareprof_pipe pipe;
	uint8_t *frame;       /* the buffer for one outgoing frame */
	uint32_t memory_size; /* size of all blocks */
	uint32_t identity;    /* the first bytes of the IDENTITY frame: version, blocks, frame size */
	uint16_t frame_size;
};
extern const struct bareprof_link bareprof_link;

/*
 * Defines the link. Write it once, at file scope:
 *
 * 	BAREPROF_LINK(128, .write = uart_write, .read = uart_read);
 *
 * size: bytes of RAM for the outgoing frame, 64 to 1,024. With 128, block data takes 90 % of the line; with 256, 95 %.
 * But larger frames make bareprof_poll() take longer. On a line that loses bytes, the host asks for shorter frames. The
 * link takes some 60 bytes of RAM in addition.
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
	BAREPROF_LINK_CALLS                                                                        \
	BAREPROF_STATIC_ASSERT(sizeof(bareprof_link_frame) == (size), "bareprof: one link per firmware")

/* The copied bareprof.c has the link's code even if the project has no BAREPROF_LINK. So that calls of bareprof_poll()
 * and bareprof_send() then fail when linking, BAREPROF_LINK itself defines them. */
#ifdef BAREPROF_DROP_IN
#define BAREPROF_LINK_CALLS                                   \
	BAREPROF_CODE(bareprof_poll) void bareprof_poll(void) \
	{                                                     \
		bareprof_link_poll();                         \
	}                                                     \
	BAREPROF_CODE(bareprof_send) void bareprof_send(void) \
	{                                                     \
		bareprof_link_send_all();                     \
	}
void bareprof_link_poll(void);
void bareprof_link_send_all(void);
#else
#define BAREPROF_LINK_CALLS
#endif

/*
 * Reads requests and sends answers, as far as the pipe accepts them. Each call is bounded to the work of one frame.
 * Call it from one place, where the firmware waits or loops, such as the main loop or an idle task. Any interrupt may
 * interrupt it. It may be called before bareprof_init(); the host then sees from the block that it is not initialised.
 */
void bareprof_poll(void);

/*
 * Sends all blocks once, without a request, and returns when the pipe has accepted everything: for pipes that only
 * send, and for firmware that ends. Lost frames are not sent again; the host reports them. Do not call it while
 * bareprof_poll() runs.
 */
void bareprof_send(void);

#ifdef __cplusplus
}
#endif

#endif
