/* SPDX-License-Identifier: MIT */
/* The checksum of frames. */
#include "link.h"

/*
 * Four bits at a time: a table of 64 bytes, and some 15 instructions per byte. Each entry is the CRC of its index: 4
 * steps with the polynomial of IEEE 802.3, lowest bit first.
 */
static const uint32_t table[16] = {
        0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC, 0x76DC4190, 0x6B6B51F4, 0x4DB26158, 0x5005713C,
        0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C, 0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C,
};

BAREPROF_CODE(bareprof_link_crc) uint32_t bareprof_link_crc(const uint8_t *bytes, size_t size)
{
	const uint8_t *const end = bytes + size;
	uint32_t crc = 0xFFFFFFFFu;

	do {
		crc ^= *bytes++;
		for (unsigned nibble = 0; nibble < 2; nibble++)
			crc = crc >> 4 ^ table[crc & 0xF];
	} while (bytes != end);
	return crc;
}
