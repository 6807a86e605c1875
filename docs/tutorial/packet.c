/* SPDX-License-Identifier: MIT */
/* Packets for the radio: the station's number, the values and a checksum. */
#include "station.h"

#define WORDS (CHANNELS + 1u)

/* Takes the place of a radio's data register: the emulated board has no radio. */
static volatile uint32_t radio;

/* CRC-32 of words, bit by bit. */
static uint32_t checksum(const uint32_t *words, unsigned count)
{
	uint32_t remainder = 0xFFFFFFFFu;

	for (unsigned i = 0; i < count; i++) {
		remainder ^= words[i];
		for (unsigned bit = 0; bit < 32; bit++)
			remainder = remainder >> 1 ^ (remainder & 1 ? 0xEDB88320u : 0);
	}
	return ~remainder;
}

void packet_send(const int32_t values[CHANNELS])
{
	uint32_t words[WORDS];

	words[0] = (uint32_t)settings_get("station", 0);
	for (unsigned channel = 0; channel < CHANNELS; channel++)
		words[channel + 1] = (uint32_t)values[channel];
	for (unsigned i = 0; i < WORDS; i++)
		radio = words[i];
	radio = checksum(words, WORDS);
}
