/* SPDX-License-Identifier: MIT */
#ifndef MAIN_H
#define MAIN_H

#include <stdint.h>

#define BLOCK 64

void console_init(void);
void console_write(const char *text);
void filter_init(void);
float filter_block(const int16_t *samples, uint32_t count);
void sort_samples(int16_t *samples, uint32_t count);

#endif
