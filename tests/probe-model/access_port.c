/* SPDX-License-Identifier: MIT */
/* See access_port.h. */
#include "access_port.h"

#include "core.h"

#include <string.h>

/* C2.6 */
enum { CSW = 0x00, TAR = 0x04, DRW = 0x0c, BD0 = 0x10, BD3 = 0x1c, CFG = 0xf4, BASE = 0xf8, IDR = 0xfc };

#define CSW_SIZE        0x00000007u
#define CSW_INCREMENT   0x00000030u
#define CSW_SINGLE      0x00000010u
#define CSW_PACKED      0x00000020u
#define CSW_DEVICE_EN   0x00000040u
#define CSW_CACHEABLE   0x08000000u /* HPROT[3] */
#define CSW_ERRNPASS    0x00010000u /* IHI 0074: memory errors are not reported */
#define CSW_AFTER_RESET 0x03000000u

/* Identities of the ports of a Cortex-M7, and of a Cortex-M3 or M4, whose TAR wraps at 4 KiB. */
#define IDR_1K 0x74770001u
#define IDR_4K 0x24770011u
/* An AHB-AP of CoreSight SoC-600, in version 3. */
#define IDR_V2 0x34770008u

#define BASE_ROM_TABLE ((CORE_REGISTERS + 0x000ff000u) | 3) /* present, in this format: C2.6.1 */

void access_port_init(struct access_port *port, const struct setup *setup, struct memory *memory,
                      struct swd_counts *counts, unsigned core)
{
	*port = (struct access_port){.setup = setup, .memory = memory, .counts = counts, .core = core};
	port->csw = CSW_DEVICE_EN | (CSW_AFTER_RESET & (uint32_t)setup->prot) | (setup->hidden ? CSW_ERRNPASS : 0);
	(void)access_port_write(port, CSW, port->csw | 2);
}

/* Fields and values that the port lacks are not stored. */
static void write_csw(struct access_port *port, uint32_t word)
{
	const struct setup *setup = port->setup;
	uint32_t prot = (uint32_t)setup->prot | (setup->hidden ? CSW_ERRNPASS : 0);
	uint32_t size = word & CSW_SIZE, increment = word & CSW_INCREMENT;

	port->csw = (port->csw & ~prot) | (word & prot);
	if ((setup->sizes >> size & 1) != 0)
		port->csw = (port->csw & ~CSW_SIZE) | size;
	if (increment <= CSW_SINGLE || (increment == CSW_PACKED && setup->packed != 0))
		port->csw = (port->csw & ~CSW_INCREMENT) | increment;
}

static void increment_tar(struct access_port *port, uint32_t bytes)
{
	uint32_t mask = (uint32_t)port->setup->wrap - 1;

	if ((port->csw & CSW_INCREMENT) != 0)
		port->tar = (port->tar & ~mask) | ((port->tar + bytes) & mask);
}

/* Makes one access on the bus. A narrow one has its data in the lane of its address (C2.2, "byte lanes"). */
static bool transfer(struct access_port *port, uint32_t address, uint32_t size, bool is_write, uint32_t *word)
{
	uint32_t lane = address & 3;
	struct memory_access access = {
	        .core = port->core,
	        .address = address,
	        .size = size,
	        .is_cacheable = (port->csw & CSW_CACHEABLE) != 0,
	        .is_write = is_write,
	};

	if (lane % size != 0)
		return false;
	for (uint32_t i = 0; i < size; i++)
		access.bytes[i] = (uint8_t)(*word >> 8 * (lane + i));
	if (!memory_access(port->memory, &access))
		return false;
	for (uint32_t i = 0; i < size; i++) {
		*word &= ~(0xffu << 8 * (lane + i));
		*word |= (uint32_t)access.bytes[i] << 8 * (lane + i);
	}
	return true;
}

/* Accesses memory at TAR. A packed transfer makes all accesses up to the next word (C2.2, "packed transfers"). */
static bool access_drw(struct access_port *port, bool is_write, uint32_t *word)
{
	uint32_t size = 1u << (port->csw & CSW_SIZE);
	bool is_packed = (port->csw & CSW_INCREMENT) == CSW_PACKED;

	do {
		if (!transfer(port, port->tar, size, is_write, word) && (port->csw & CSW_ERRNPASS) == 0)
			return false;
		increment_tar(port, size);
	} while (is_packed && (port->tar & 3) != 0);
	return true;
}

static bool access_bank(struct access_port *port, unsigned reg, bool is_write, uint32_t *word)
{
	return transfer(port, (port->tar & ~15u) | (reg & 12), 4, is_write, word);
}

static bool is_version_2(const struct access_port *port)
{
	return (port->setup->dpidr >> 12 & 15) == 3;
}

bool access_port_read(struct access_port *port, unsigned reg, uint32_t *word)
{
	if (reg >= BD0 && reg <= BD3)
		return access_bank(port, reg, false, word);
	*word = 0;
	switch (reg) {
	case CSW:
		*word = port->csw;
		break;
	case TAR:
		*word = port->tar;
		break;
	case DRW:
		return access_drw(port, false, word);
	case CFG: /* little-endian, no large addresses or data */
		break;
	case BASE:
		*word = BASE_ROM_TABLE;
		break;
	case IDR:
		*word = is_version_2(port) ? IDR_V2 : port->setup->wrap == 4096 ? IDR_4K : IDR_1K;
		break;
	default:
		break;
	}
	return true;
}

bool access_port_write(struct access_port *port, unsigned reg, uint32_t word)
{
	if (reg >= BD0 && reg <= BD3)
		return access_bank(port, reg, true, &word);
	switch (reg) {
	case CSW:
		write_csw(port, word);
		break;
	case TAR:
		port->tar = word;
		port->counts->tar_writes++;
		break;
	case DRW:
		return access_drw(port, true, &word);
	default:
		break;
	}
	return true;
}
