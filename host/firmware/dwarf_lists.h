/* SPDX-License-Identifier: MIT */
/* The length of range lists (DWARF 5, 2.17.3). Private to firmware/. */
#ifndef FIRMWARE_DWARF_LISTS_H
#define FIRMWARE_DWARF_LISTS_H

#include "firmware/dwarf_tree.h"

/* The number of entries in the list that ranges (DW_AT_ranges of an entry in unit) refers to, including those that
 * libdw skips. */
uint64_t dwarf_count_ranges(const struct dwarf_sections *sections, const struct dwarf_unit *unit,
                            Dwarf_Attribute *ranges);

#endif
