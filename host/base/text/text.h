/* SPDX-License-Identifier: MIT */
/* Untrusted text (from an ELF, a target, a command line) made safe for a terminal, and terminal colours. */
#ifndef BASE_TEXT_TEXT_H
#define BASE_TEXT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Prints text; control characters, invisible characters and invalid UTF-8 become \xNN. */
void text_print(FILE *stream, const char *text);

/* Like text_print(), for a source line of this length; tabs become blanks up to the next multiple of 8 columns. */
void text_print_source(FILE *stream, const char *text, size_t length);

/* Formats value with thousands separators into text, and returns text. */
#define TEXT_COUNT_SIZE 28
const char *text_format_count(uint64_t value, char text[TEXT_COUNT_SIZE]);

/* The length in bytes of the valid, printable UTF-8 character at text, or 0. */
size_t text_character(const char *text);
/* Whether text_print() prints text unchanged. */
bool text_is_printable(const char *text);

enum text_style { TEXT_BOLD, TEXT_DIM, TEXT_WARNING, TEXT_GOOD };

/* Print the escape sequences that switch a style on and off; print nothing unless colour is true. */
void text_begin(FILE *stream, bool colour, enum text_style style);
void text_end(FILE *stream, bool colour);

#endif
