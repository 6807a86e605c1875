/* SPDX-License-Identifier: MIT */
/*
 * Commands to a probe that speaks CMSIS-DAP, and its answers. Commands are cited by their names in Arm's
 * "CMSIS-DAP", 2.1. Knows nothing of what those that have no function here do.
 */
#ifndef TARGET_DAP_CMSIS_DAP_COMMAND_H
#define TARGET_DAP_CMSIS_DAP_COMMAND_H

#include "target/dap/cmsis_dap_packet.h"
#include "target/usb/packets.h"

/* What DAP_Info tells. */
enum cmsis_dap_info {
	CMSIS_DAP_PROTOCOL = 0x04, /* its version, a text */
	CMSIS_DAP_CAPABILITIES = 0xf0,
	CMSIS_DAP_PACKET_COUNT = 0xfe,
	CMSIS_DAP_PACKET_SIZE = 0xff,
};

struct cmsis_dap_peer {
	struct packets *packets;
	const char *source;                   /* for messages; not owned */
	unsigned timeout;                     /* milliseconds for an answer */
	char protocol[16];                    /* that it speaks, for messages */
	size_t answer_size;                   /* 0 = none came, or none to what was asked */
	uint8_t answer[CMSIS_DAP_PACKET_MAX]; /* the last one */
};

enum status cmsis_dap_send(struct cmsis_dap_peer *peer, const uint8_t *request, size_t size, struct error *error);
enum status cmsis_dap_receive(struct cmsis_dap_peer *peer, struct error *error);
/* That an answer is none. */
enum status cmsis_dap_misbehaves(const struct cmsis_dap_peer *peer, struct error *error);

/* Sends a command and waits for its answer, of two bytes at least. Answers to other commands came late, and are passed
 * over. */
enum status cmsis_dap_ask(struct cmsis_dap_peer *peer, const uint8_t *request, size_t size, struct error *error);
/* Asks for what has to be done: another answer than that it is fails. */
enum status cmsis_dap_order(struct cmsis_dap_peer *peer, const uint8_t *request, size_t size, struct error *error);
/* Asks for what the probe tells of itself: up to capacity bytes, zeros behind them. */
enum status cmsis_dap_ask_info(struct cmsis_dap_peer *peer, enum cmsis_dap_info info, void *bytes, size_t capacity,
                               struct error *error);

#endif
