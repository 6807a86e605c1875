/* SPDX-License-Identifier: MIT */
/* Encoding of debug port transfers as CMSIS-DAP packets (Arm, "CMSIS-DAP", 2.1: DAP_Transfer, DAP_TransferBlock) and
 * decoding of the answers, as pure functions over bytes. */
#ifndef ACQUIRE_PROBE_CMSIS_DAP_PACKET_H
#define ACQUIRE_PROBE_CMSIS_DAP_PACKET_H

#include "acquire/dap/dap.h"

/* Packets are shorter than this, even if the probe allows longer ones. */
#define CMSIS_DAP_PACKET_MAX 1024
/* The smallest packet size that a probe may report, which is a full-speed device's. */
#define CMSIS_DAP_PACKET_MIN 64

/* A position in a list of transfers. */
struct cmsis_dap_place {
	const struct dap_transfer *transfers;
	size_t count;  /* transfers that are left */
	uint32_t done; /* words already done of the first of these */
};

struct cmsis_dap_packet {
	struct cmsis_dap_place from;
	uint32_t accesses; /* register accesses */
	uint32_t reads;    /* reads among them */
	bool is_block;     /* DAP_TransferBlock, else DAP_Transfer */
	bool may_follow;   /* may be sent before the preceding packet is known to have succeeded */
	size_t size;
	uint8_t request[CMSIS_DAP_PACKET_MAX];
};

/* Encodes as much as fits into a packet and an answer of size_max bytes each, and advances place. */
void cmsis_dap_pack(struct cmsis_dap_place *place, size_t size_max, struct cmsis_dap_packet *packet);

/* Writes the 4 bytes of a word. */
void cmsis_dap_put_word(uint8_t *bytes, uint32_t word);

/* Stores the words read from an answer; false if it does not fit the packet. */
bool cmsis_dap_unpack(const struct cmsis_dap_packet *packet, const uint8_t *answer, size_t size, enum dap_ack *ack);

#endif
