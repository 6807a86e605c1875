/* SPDX-License-Identifier: MIT */
/* CRC-32 (ISO-HDLC: reflected, polynomial 0x04C11DB7), as in Ethernet and zip. May be called from interrupts. */
#ifndef FIRMWARE_DEMO_CRC_H
#define FIRMWARE_DEMO_CRC_H

#include <stddef.h>
#include <stdint.h>

uint32_t crc32(const uint8_t *bytes, size_t size);

#endif
