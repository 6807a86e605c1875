/* SPDX-License-Identifier: MIT */
/* Numbers on the console. */
#ifndef FIRMWARE_STRESS_PRINT_H
#define FIRMWARE_STRESS_PRINT_H

#include <stdint.h>

/* Each writes the text, then the number. */
void print_decimal(const char *text, uint32_t number);
void print_hexadecimal(const char *text, uintptr_t number);

#endif
