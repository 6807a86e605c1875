/* SPDX-License-Identifier: MIT */
/* Symbols from a text file in the format of nm. Private to firmware/. */
#ifndef FIRMWARE_SYMBOL_FILE_H
#define FIRMWARE_SYMBOL_FILE_H

#include "firmware/symbol_table.h"

/* Appends the symbols of the lines `ADDRESS T|t NAME`; t: local. Ignores other lines. Fails, naming file and line, if
 * the file is unreadable, has no symbols, or one without an address. */
enum status symbol_file_read(const struct image *image, const char *path, struct symbol_table *table,
                             struct error *error);

#endif
