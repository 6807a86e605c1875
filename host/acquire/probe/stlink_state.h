/* SPDX-License-Identifier: MIT */
/*
 * Types and functions that the files of the ST-Link driver share. ST publishes no specification of the commands. They
 * and the names of firmware releases, such as J32, follow OpenOCD's stlink_usb.c and pyOCD's probe/stlink.
 */
#ifndef ACQUIRE_PROBE_STLINK_STATE_H
#define ACQUIRE_PROBE_STLINK_STATE_H

#include "acquire/dap/access.h"
#include "acquire/probe/stlink.h"

/* Bytes of a command, which is padded with zeros; bytes of the longest memory access. */
#define STLINK_COMMAND_SIZE 16
#define STLINK_ACCESS_MAX   6144u

/* Lost or wrong answers in a row that end an access. */
#define STLINK_LOSSES_MAX 8u

/* The first byte of a command. */
enum stlink_command {
	STLINK_GET_VERSION = 0xF1,
	STLINK_DEBUG = 0xF2,
	STLINK_DFU = 0xF3,
	STLINK_SWIM = 0xF4,
	STLINK_GET_MODE = 0xF5,
	STLINK_GET_LONG_VERSION = 0xFB,
};

/* The second byte, after STLINK_DEBUG. */
enum stlink_debug_command {
	STLINK_READ_WORDS = 0x07,
	STLINK_WRITE_WORDS = 0x08,
	STLINK_WRITE_BYTES = 0x0D,
	STLINK_LEAVE_DEBUG = 0x21,
	STLINK_ENTER_DEBUG = 0x30,
	STLINK_WRITE_DEBUG_REGISTER = 0x35,
	STLINK_READ_DEBUG_REGISTER = 0x36,
	STLINK_DRIVE_RESET = 0x3C,
	STLINK_GET_LAST_STATUS = 0x3E,
	STLINK_SET_DIVISOR = 0x43,
	STLINK_READ_PORT = 0x45,
	STLINK_WRITE_PORT = 0x46,
	STLINK_OPEN_PORT = 0x4B,
	STLINK_SET_CLOCK = 0x61,
	STLINK_LIST_CLOCKS = 0x62,
};

/* The debug port, in place of an access port's number. */
#define STLINK_DEBUG_PORT 0xFFFFu

/* The bytes of a number in a command, lowest first. */
#define STLINK_HALF(half) (uint8_t)((half)&0xFFu), (uint8_t)((half) >> 8 & 0xFFu)
#define STLINK_WORD(word) STLINK_HALF((word)&0xFFFFu), STLINK_HALF((word) >> 16 & 0xFFFFu)

static inline uint32_t stlink_word(const uint8_t *bytes)
{
	return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* Features that some firmware releases lack. */
enum stlink_feature {
	STLINK_HAS_STATUS,         /* STLINK_GET_LAST_STATUS: needed */
	STLINK_HAS_CLOCK,          /* the clock can be set */
	STLINK_HAS_PORT_REGISTERS, /* STLINK_READ_PORT, STLINK_WRITE_PORT */
	STLINK_OPENS_PORTS,        /* an access port must be opened before it is used */
	STLINK_CHOOSES_PORT,       /* memory commands state an access port and bits of CSW */
};

struct stlink {
	struct exchange *exchange;
	struct target_setup setup;
	struct access access;
	uint8_t version[6]; /* the answer to STLINK_GET_VERSION */
	bool has_version;
	unsigned hardware, release; /* V2 and J37 */
	bool has_port;              /* an access port is chosen: */
	unsigned port;              /* its number */
	uint32_t csw;               /* CSW for memory commands; 0: the firmware's choice */
	bool is_connected;          /* in debug mode */
	bool is_reset_low;          /* the reset pin is, or may be, low */
	bool is_lost;               /* see struct access */
	bool is_silent;             /* the probe no longer answers: further commands fail at once */
	unsigned packets_lost;      /* see struct probe_traffic */
	unsigned losses;            /* lost or wrong answers in a row */
	uint32_t words[STLINK_ACCESS_MAX / 4];
};

/* A command, and the data that follow it in either direction, if any. */
struct stlink_request {
	uint8_t command[STLINK_COMMAND_SIZE];
	const uint8_t *out;
	size_t out_size;
	uint8_t *in;
	size_t in_size;
};

bool stlink_has(const struct stlink *stlink, enum stlink_feature feature);

/* Sends a command, and receives exactly request->in_size bytes. Repeats it if the answer is lost or has another size.
 */
enum status stlink_ask(struct stlink *stlink, const struct stlink_request *request, struct error *error);
/* Sends a command whose answer begins with a status. */
enum status stlink_ask_for_result(struct stlink *stlink, const struct stlink_request *request,
                                  struct access_result *result, struct error *error);
struct access_result stlink_decode(const uint8_t status[2]);
/* The likely cause of a failure and its remedy, formatted in text if necessary. */
const char *stlink_reason(const struct access_result *result, char *text, size_t capacity);
/* Drops any outstanding answer, and checks that the probe still answers. */
bool stlink_resynchronise(struct stlink *stlink);
bool stlink_is_cancelled(const struct stlink *stlink);

/* For struct probe_ops; the probe is a struct stlink. */
enum status stlink_transfer(void *probe, struct access_block *block, struct access_result *result, struct error *error);
enum status stlink_recover(void *probe, struct access_result *result, unsigned tries, struct error *error);
enum status stlink_fail(void *probe, const struct access_block *block, const struct access_result *result,
                        struct error *error);

/* Wakes up the target's debug port and opens the access port if one is chosen; also reconnects. Retries for as long as
 * a target takes to start. */
enum status stlink_connect(struct stlink *stlink, struct access_result *result, struct error *error);

/* Opens the access port if one is chosen. */
enum status stlink_open_port(struct stlink *stlink, struct access_result *result, struct error *error);

/* Accesses a register of an access port or of the debug port, with retries unless it may be absent. */
enum status stlink_read_port(struct stlink *stlink, unsigned port, unsigned address, uint32_t *word, bool may_be_absent,
                             struct error *error);
enum status stlink_write_port(struct stlink *stlink, unsigned port, unsigned address, uint32_t word,
                              struct error *error);

/* Chooses the access port in setup, otherwise the first port that leads to the core, and sets it up. */
enum status stlink_choose_port(struct stlink *stlink, struct error *error);

#endif
