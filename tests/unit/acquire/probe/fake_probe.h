/* SPDX-License-Identifier: MIT */
/*
 * A CMSIS-DAP probe in memory, and its target: both are those of tests/probe-model/. It answers packets at once, counts
 * them, and loses, delays and damages answers.
 */
#ifndef UNIT_ACQUIRE_PROBE_FAKE_PROBE_H
#define UNIT_ACQUIRE_PROBE_FAKE_PROBE_H

#include "../../../probe-model/cmsis_dap.h"

#include "acquire/usb/packets.h"

#include <stdbool.h>
#include <stdint.h>

#define FAKE_PROBE_WORDS 2048u /* at address 0 */
#define FAKE_PROBE_DPIDR 0x2ba01477u

struct fake_answer {
	size_t size;
	uint8_t bytes[2048];
};

struct fake_damage {
	int bytes[4];    /* replace the first bytes; KEEP = unchanged */
	size_t size_max; /* limits the size; 0: unlimited */
	size_t cut;      /* reduces the size */
};
#define KEEP (-1)

struct fake_probe {
	struct packets packets; /* first: the host's end */

	/* Set these after fake_probe_init(). Answers and requests are numbered from 1; 0: none. */
	bool pads;                         /* answers have the maximum size */
	unsigned lost_answer, late_answer; /* late: it comes before the answer to the next request */
	unsigned silent_from;              /* this answer and all later ones are lost */
	unsigned damaged_answer;           /* is changed as in damage */
	struct fake_damage damage;
	unsigned unplugged_at; /* this request and all later ones fail */

	/* Results. */
	uint8_t requests[4096][16]; /* their first bytes */
	size_t sizes[4096];
	unsigned request_count, answer_count;
	unsigned in_flight_max;
	unsigned too_long; /* requests longer than a packet */
	unsigned endless;  /* answers that end with a full packet of the endpoint */
	bool is_closed;

	/* The models. */
	struct cmsis_dap firmware;
	struct swd_target *target;
	uint32_t *memory;

	/* Private. */
	struct fake_answer answers[64], late;
	unsigned answer_first, answer_end;
	bool has_late;
};

/* A probe with four packets of 512 bytes, and a target whose words of memory differ. fault: an option of the target, or
 * NULL. */
void fake_probe_init(struct fake_probe *probe, const char *fault);
uint32_t fake_probe_word(unsigned index);

#endif
