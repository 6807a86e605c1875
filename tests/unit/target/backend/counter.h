/* SPDX-License-Identifier: MIT */
/* The firmware counter.S, for tests with an emulated Cortex-M3: making it, and how far it has counted. */
#ifndef UNIT_TARGET_BACKEND_COUNTER_H
#define UNIT_TARGET_BACKEND_COUNTER_H

#include "target/backend/target.h"

#include <stdint.h>

/* Or the test fails, here as below. */
void counter_build(const char *elf);
uint32_t counter_read(struct target *target);

#endif
