/* SPDX-License-Identifier: MIT */
/*
 * A CMSIS-DAP probe in memory, connected to a memory access port with 16 KB: it answers packets at once, counts them,
 * and has faults. Written from Arm's "CMSIS-DAP"; shares no code with the host.
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

struct fake_damage {
	int bytes[4];    /* replace the first bytes; KEEP = unchanged */
	size_t size_max; /* limits the size; 0 = unlimited */
	size_t cut;      /* reduces the size */
};
#define KEEP (-1)

struct fake_probe {
	struct packets packets; /* first: the host's end */

	/* Set these after fake_probe_init(). Numbers count from 1; 0 = never. */
	unsigned packet_size, packet_count; /* as reported to the host */
	uint8_t capabilities, connected_port;
	const char *version;
	bool pads;               /* answers have the maximum size */
	uint8_t unknown_command; /* 0xff = none */
	uint8_t refused_command; /* is answered by an error; 0xff = none */
	unsigned failing_access; /* ends its packet, with failing_ack */
	uint8_t failing_ack;
	unsigned lost_answer, late_answer; /* late: it comes before the answer to the next request */
	unsigned silent_from;              /* this answer and all later ones are lost */
	unsigned damaged_answer;           /* is changed as in damage */
	struct fake_damage damage;
	unsigned unplugged_at; /* this request and all later ones fail */

	/* Results. */
	uint32_t memory[FAKE_PROBE_WORDS];
	uint8_t requests[4096][16]; /* their first bytes */
	size_t sizes[4096];
	unsigned request_count;
	unsigned in_flight_max;
	unsigned too_long; /* requests and answers longer than a packet */
	unsigned endless;  /* answers that end with a full packet of the endpoint */
	unsigned accesses; /* of registers */
	unsigned wait_retries;
	bool is_closed;

	/* Private. */
	struct fake_answer answers[64], late;
	unsigned answer_first, answer_end, answers_made;
	bool has_late;
	uint32_t tar;
};

/* A probe with four packets of 512 bytes. The words of its memory differ. */
void fake_probe_init(struct fake_probe *probe);
uint32_t fake_probe_word(unsigned index);

#endif
