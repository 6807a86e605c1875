/* SPDX-License-Identifier: MIT */
/* Measurements of the periodic interrupt, and their queue to the main loop. */
#ifndef FIRMWARE_DEMO_ACQUISITION_H
#define FIRMWARE_DEMO_ACQUISITION_H

#include <stdbool.h>
#include <stdint.h>

struct measurement {
	uint32_t time;
	int16_t value;
	uint16_t channel;
};

/* Takes the oldest measurement out of the queue; false if there is none. */
bool acquisition_take(struct measurement *measurement);

#endif
