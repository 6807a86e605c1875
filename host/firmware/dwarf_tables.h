/* SPDX-License-Identifier: MIT */
/* The cost of reading a line table by libdw (DWARF 5, 6.2.4). Private to firmware/. */
#ifndef FIRMWARE_DWARF_TABLES_H
#define FIRMWARE_DWARF_TABLES_H

#include "firmware/dwarf_tree.h"

/*
 * Pays for the table at offset: its bytes, each of which may be a row, and its file names, because libdw makes a copy
 * of each joined with its folder. folder_length is that of the compilation folder. False if the budget is exceeded, if
 * the header is damaged, or when out of memory.
 */
bool dwarf_pay_table(const struct dwarf_sections *sections, struct dwarf_budget *budget, const struct dwarf_unit *unit,
                     uint64_t offset, size_t folder_length);

#endif
