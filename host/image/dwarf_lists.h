/* SPDX-License-Identifier: MIT */
/* How long a range list is (DWARF 5, 2.17.3). Private to image/. */
#ifndef IMAGE_DWARF_LISTS_H
#define IMAGE_DWARF_LISTS_H

#include "image/dwarf_tree.h"

/* The number of entries in the list that ranges (DW_AT_ranges) of an entry in unit names, those included that libdw
 * passes over. */
uint64_t dwarf_count_ranges(const struct dwarf_sections *sections, const struct dwarf_unit *unit,
                            Dwarf_Attribute *ranges);

#endif
