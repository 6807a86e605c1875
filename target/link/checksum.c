/* SPDX-License-Identifier: MIT */
/* The checksum of frames. */
#include "link.h"

/*
 * Four bits at a time: a table of 64 bytes, and some 15 instructions per byte. Each entry is the CRC of its index: 4
 * steps with the polynomial of IEEE 802.3, lowest bit first.
 */
BAREPROF_CONSTANT(table)
static const uint32_t table[16] = {
        0x00000000u, 0x1DB71064u, 0x3B6E20C8u, 0x26D930ACu, 0x76DC4190u, 0x6B6B51F4u, 0x4DB26158u, 0x5005713Cu,
        0xEDB88320u, 0xF00F9344u, 0xD6D6A3E8u, 0xCB61B38Cu, 0x9B64C2B0u, 0x86D3D2D4u, 0xA00AE278u, 0xBDBDF21Cu,
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
