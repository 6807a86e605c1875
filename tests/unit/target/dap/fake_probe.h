/* SPDX-License-Identifier: MIT */
/*
 * A CMSIS-DAP probe in memory, with a memory access port of 16 KB behind it: it answers packets at once, counts what
 * they cost on the wire, and has the faults that it is told. Written from Arm's "CMSIS-DAP", without the code of the
 * host.
 */
#ifndef UNIT_TARGET_DAP_FAKE_PROBE_H
#define UNIT_TARGET_DAP_FAKE_PROBE_H

#include "target/usb/packets.h"

#include <stdbool.h>
#include <stdint.h>

#define FAKE_PROBE_WORDS 4096u /* at address 0 */
#define FAKE_PROBE_DPIDR 0x2ba01477u

struct fake_answer {
	size_t size;
	uint8_t bytes[2048];
};

struct fake_probe {
	struct packets packets; /* the first: what the host is given */

	/* To be set behind fake_probe_init(). Numbers count from 1; 0 = never. */
	unsigned packet_size, packet_count; /* as it tells */
	uint8_t capabilities, connected_port;
	const char *version;
	bool pads;               /* answers are as long as they may be */
	uint8_t unknown_command; /* it does not know; 0xff = knows all */
	uint8_t refused_command; /* is answered by an error; 0xff = none is */
	unsigned failing_access; /* ends its packet with failing_ack */
	uint8_t failing_ack;
	unsigned lost_answer, late_answer; /* late: it comes before that to the next request */
	unsigned silent_from;              /* this answer, and all after it, do not come */
	unsigned spoilt_answer;            /* is given to spoil() */
	bool spoils_on;                    /* and so are all answers to DAP_Transfer and DAP_TransferBlock after it */
	void (*spoil)(struct fake_answer *answer);
	unsigned unplugged_at; /* this request fails, and all after it */

	/* To be looked at. */
	uint32_t memory[FAKE_PROBE_WORDS];
	uint8_t requests[4096][16]; /* how they begin */
	size_t sizes[4096];         /* of them */
	unsigned request_count;
	unsigned in_flight_longest, endless_answers, too_long;
	unsigned accesses;       /* of registers, as asked for */
	unsigned wire_transfers; /* as it takes to make them */
	unsigned idle_clocks, wait_retries;
	bool is_closed;

	/* The rest is its own. */
	struct fake_answer answers[64], late;
	unsigned answer_first, answer_end, answers_made;
	bool has_late;
	uint32_t tar;
};

/* A probe with packets of 512 bytes, four of them, and memory in which each word is another. */
void fake_probe_init(struct fake_probe *probe);
uint32_t fake_probe_word(unsigned index);

#endif
