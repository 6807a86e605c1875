/* SPDX-License-Identifier: MIT */
/* See rom_table.h. Sections are those of IHI 0074. */
#include "rom_table.h"

/* D2, D3: the identity of a component, by offset. */
enum { DEVARCH = 0xfbc, DEVID = 0xfc8, CIDR0 = 0xff0, CIDR1 = 0xff4, CIDR2 = 0xff8, CIDR3 = 0xffc, IDR = 0xdfc };

enum { ENTRY_ABSENT = 2, ENTRY_PRESENT = 3, TABLE_END = 0x800, PAGE = 0x1000 };

#define DEVARCH_ROM_TABLE 0x47700af7u
#define DEVARCH_MEM_AP    0x47700a17u
#define IDR_APB           0x34770006u
#define NONE              UINT64_MAX

/* Components of an RP2350 that do not belong to its Arm cores (pyOCD's issue 1760 lists them): one of another class,
 * one whose reads fail, and the access port to its RISC-V cores. */
#define OTHER_CLASS 0x6000u
#define BROKEN      0x7000u
#define RISCV_PORT  0xa000u

/* Addresses of ROM tables, relative to the first. */
#define SECOND  0x10000u
#define ENDLESS 0x100000u

bool rom_table_is_port(const struct setup *setup, uint64_t page, size_t *index)
{
	*index = page == setup->ap ? 0 : 1;
	return page == setup->ap || page == setup->ap2;
}

uint64_t rom_table_base(const struct setup *setup)
{
	return setup->rom == ROM_NONE ? 0 : setup->rom_at | 1;
}

/* The component that an entry of the table with the ports points to. NONE = the table ends; 1: the entry is absent. */
static uint64_t usual_component(const struct setup *setup, unsigned index)
{
	const uint64_t components[] = {
	        setup->rom == ROM_CYCLIC ? setup->rom_at : 1,
	        setup->ap,
	        setup->ap2 != NONE ? setup->ap2 : 1,
	        setup->rom_at + OTHER_CLASS,
	        setup->rom_at + BROKEN,
	        setup->rp2350 != 0 ? setup->rom_at + RISCV_PORT : 1,
	};

	return index < sizeof components / sizeof components[0] ? components[index] : NONE;
}

static uint64_t component_of(const struct setup *setup, uint64_t table, unsigned index)
{
	switch (setup->rom) {
	case ROM_NESTED: /* so that entries are negative, too */
	case ROM_CYCLIC:
		if (table != setup->rom_at + SECOND)
			return index == 0 ? setup->rom_at + SECOND : NONE;
		return usual_component(setup, index);
	case ROM_ENDLESS:
		return index == 0 ? table + ENDLESS : 1;
	case ROM_FULL:
		return table + PAGE + (uint64_t)PAGE * index;
	case ROM_ASTRAY:
		return index < 4 ? table + (uint64_t)PAGE * (index + 0x100) : NONE;
	default:
		return usual_component(setup, index);
	}
}

static bool is_table(const struct setup *setup, uint64_t page)
{
	const uint64_t from_first = page - setup->rom_at;

	if (from_first == 0)
		return true;
	if (setup->rom == ROM_ENDLESS)
		return from_first % ENDLESS == 0;
	return from_first == SECOND && (setup->rom == ROM_NESTED || setup->rom == ROM_CYCLIC);
}

/* The first of nested tables has entries of 64 bits. */
static bool is_long(const struct setup *setup, uint64_t table)
{
	return setup->rom == ROM_NESTED && table == setup->rom_at;
}

static uint32_t read_entry(const struct setup *setup, uint64_t table, uint64_t offset)
{
	const unsigned size = is_long(setup, table) ? 8 : 4;
	const uint64_t component = component_of(setup, table, (unsigned)(offset / size));
	const uint64_t entry = component == NONE ? 0
	                       : component == 1  ? ENTRY_ABSENT
	                                         : (component - table) | ENTRY_PRESENT;

	return (uint32_t)(offset % size == 4 ? entry >> 32 : entry);
}

static uint32_t read_identity(uint64_t offset, uint32_t class, uint32_t architecture, uint32_t id)
{
	switch (offset) {
	case DEVARCH:
		return architecture;
	case DEVID:
		return id;
	case CIDR0:
		return 0x0d;
	case CIDR1:
		return class << 4;
	case CIDR2:
		return 0x05;
	case CIDR3:
		return 0xb1;
	default:
		return 0;
	}
}

bool rom_table_read(const struct setup *setup, uint64_t address, uint32_t *word)
{
	const uint64_t page = address & ~(uint64_t)(PAGE - 1), offset = address % PAGE;
	size_t index;

	if (rom_table_is_port(setup, page, &index)) {
		*word = read_identity(offset, 9, DEVARCH_MEM_AP, 0);
	} else if (is_table(setup, page)) {
		*word = offset < TABLE_END ? read_entry(setup, page, offset)
		                           : read_identity(offset, 9, DEVARCH_ROM_TABLE, is_long(setup, page));
	} else if (page == setup->rom_at + OTHER_CLASS) {
		*word = read_identity(offset, 15, 0, 0);
	} else if (setup->rp2350 != 0 && page == setup->rom_at + RISCV_PORT) {
		*word = offset == IDR ? IDR_APB : read_identity(offset, 9, DEVARCH_MEM_AP, 0);
	} else {
		return false;
	}
	return true;
}
