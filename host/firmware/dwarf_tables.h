/* SPDX-License-Identifier: MIT */
/* The work that libdw would have to do to read a line table (DWARF 5, 6.2.4). Private to image/. */
#ifndef FIRMWARE_DWARF_TABLES_H
#define FIRMWARE_DWARF_TABLES_H

#include "firmware/dwarf_tree.h"

/*
 * Pays for the table at offset: for its bytes, each of which may be a row, and for the names of its files, which libdw
 * joins with their folders, one copy for each file. folder_length is that of the compilation's folder. False if the
 * budget is exceeded, if the header is damaged, or if memory is short.
 */
bool dwarf_pay_table(const struct dwarf_sections *sections, struct dwarf_budget *budget, const struct dwarf_unit *unit,
                     uint64_t offset, size_t folder_length);

#endif
