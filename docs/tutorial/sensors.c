/* SPDX-License-Identifier: MIT */
/* Simulated sensors with noise: the emulated board has none. */
#include "station.h"

void sensors_read(int32_t raw[CHANNELS])
{
	static uint32_t noise = 1;

	for (unsigned channel = 0; channel < CHANNELS; channel++) {
		noise = noise * 1664525u + 1013904223u;
		raw[channel] = (int32_t)(500u * channel + (noise >> 26));
	}
}
