/* SPDX-License-Identifier: MIT */
/* One round of the sensor station's main loop. */
#ifndef FIRMWARE_DEMO_STATION_H
#define FIRMWARE_DEMO_STATION_H

#include <stdint.h>

/* Takes the measurements, filters and ranks them, evaluates the operator's formulas and builds a message. */
void run_round(uint32_t round);

/* Rounds whose message was wrong or did not fit, since power-up. */
uint32_t station_failures(void);

#endif
