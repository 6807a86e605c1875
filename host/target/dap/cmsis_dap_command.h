/* SPDX-License-Identifier: MIT */
/* Commands to a CMSIS-DAP probe and their answers, named as in Arm's "CMSIS-DAP", 2.1. */
#ifndef TARGET_DAP_CMSIS_DAP_COMMAND_H
#define TARGET_DAP_CMSIS_DAP_COMMAND_H

#include "target/dap/cmsis_dap_packet.h"
#include "target/usb/packets.h"

/* Items of DAP_Info. */
enum cmsis_dap_info {
	CMSIS_DAP_PROTOCOL = 0x04, /* protocol version, as text */
	CMSIS_DAP_CAPABILITIES = 0xf0,
	CMSIS_DAP_PACKET_COUNT = 0xfe,
	CMSIS_DAP_PACKET_SIZE = 0xff,
};

struct cmsis_dap_peer {
	struct packets *packets;
	const char *source;                   /* for messages; not owned */
	unsigned timeout;                     /* milliseconds for an answer */
	char protocol[16];                    /* protocol version, for messages */
	size_t answer_size;                   /* 0 = no answer came, or one to something else */
	uint8_t answer[CMSIS_DAP_PACKET_MAX]; /* the last answer */
};

enum status cmsis_dap_send(struct cmsis_dap_peer *peer, const uint8_t *request, size_t size, struct error *error);
enum status cmsis_dap_receive(struct cmsis_dap_peer *peer, struct error *error);
/* The failure for an answer that does not fit its command. */
enum status cmsis_dap_misbehaves(const struct cmsis_dap_peer *peer, struct error *error);

/* Sends a command and waits for its answer, of at least two bytes. Late answers to other commands are skipped. */
enum status cmsis_dap_ask(struct cmsis_dap_peer *peer, const uint8_t *request, size_t size, struct error *error);
/* Sends a command that must succeed: any other answer is a failure. */
enum status cmsis_dap_order(struct cmsis_dap_peer *peer, const uint8_t *request, size_t size, struct error *error);
/* Queries DAP_Info: up to capacity bytes, padded with zeros. */
enum status cmsis_dap_ask_info(struct cmsis_dap_peer *peer, enum cmsis_dap_info info, void *bytes, size_t capacity,
                               struct error *error);

#endif
