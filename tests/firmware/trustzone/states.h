/* SPDX-License-Identifier: MIT */
/* Work in the image's own security state and in the other one. */
#ifndef FIRMWARE_TRUSTZONE_STATES_H
#define FIRMWARE_TRUSTZONE_STATES_H

#include <stdint.h>

uint32_t own_work(uint32_t seed);

/* Calls other_work() across the border, and returns what it does. */
uint32_t call_other(uint32_t seed);

/* Code of the other state, which may call nothing of this one, not even the recorder. */
#define OTHER_STATE __attribute__((section(".other_state.text"), no_instrument_function))

uint32_t other_work(uint32_t seed);

#endif
