/* SPDX-License-Identifier: MIT */
/* Model of the space of a debug port of version 3 (IHI 0074, ADIv6) around its access ports: ROM tables of class 9. */
#ifndef PROBE_MODEL_ROM_TABLE_H
#define PROBE_MODEL_ROM_TABLE_H

#include "setup.h"

/* Offset of an access port's registers within its 4 KiB. */
enum { ROM_TABLE_AP_REGISTERS = 0xd00 };

/* Whether these 4 KiB are those of an access port to memory; *index: which one. */
bool rom_table_is_port(const struct setup *setup, uint64_t page, size_t *index);
/* BASEPTR. */
uint64_t rom_table_base(const struct setup *setup);
/* Reads a word other than the registers of an access port to memory. Returns false if no component has it. */
bool rom_table_read(const struct setup *setup, uint64_t address, uint32_t *word);

#endif
