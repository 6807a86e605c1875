/* SPDX-License-Identifier: MIT */
/*
 * Transfers of a debug port as packets of CMSIS-DAP (Arm, "CMSIS-DAP", 2.1: DAP_Transfer, DAP_TransferBlock) and their
 * answers, as pure functions over bytes. Knows nothing of who carries them.
 */
#ifndef TARGET_DAP_CMSIS_DAP_PACKET_H
#define TARGET_DAP_CMSIS_DAP_PACKET_H

#include "target/dap/dap.h"

/* A probe that takes longer packets gets packets shorter than this. */
#define CMSIS_DAP_PACKET_MAX 1024
/* The shortest that a probe may ask for: that of a full-speed device. */
#define CMSIS_DAP_PACKET_MIN 64

/* A place in a list of transfers. */
struct cmsis_dap_place {
	const struct dap_transfer *transfers;
	size_t count;  /* that are left */
	uint32_t done; /* words of the first of them that are behind this place */
};

struct cmsis_dap_packet {
	struct cmsis_dap_place from;
	uint32_t accesses; /* of registers */
	uint32_t reads;    /* of these */
	bool is_block;     /* DAP_TransferBlock, else DAP_Transfer */
	bool may_follow;   /* it may be under way before it is known whether the one before it did its work */
	size_t size;
	uint8_t request[CMSIS_DAP_PACKET_MAX];
};

/* Makes a packet of as much as goes into size_max bytes, both of it and of its answer, and moves place behind that. */
void cmsis_dap_pack(struct cmsis_dap_place *place, size_t size_max, struct cmsis_dap_packet *packet);

/* Takes the words that were read from the answer; false if it is none to this packet, or a wrong one. */
bool cmsis_dap_unpack(const struct cmsis_dap_packet *packet, const uint8_t *answer, size_t size, enum dap_ack *ack);

#endif
