/* SPDX-License-Identifier: MIT */
/* Arithmetic that the compiler's library does, and frames whose size is known at run time only. */
#ifndef FIRMWARE_SOFT_FLOAT_SOFT_H
#define FIRMWARE_SOFT_FLOAT_SOFT_H

#include <stdint.h>

extern volatile uint32_t sink;

/* Numbers that look random. */
uint32_t soft_next(void);

void soft_round(void);

#endif
