/* SPDX-License-Identifier: MIT */
/* The check of the program memory that safety standards ask for, a slice at a time. */
#ifndef FIRMWARE_DEMO_SELFTEST_H
#define FIRMWARE_DEMO_SELFTEST_H

#include <stdbool.h>

/* Checks the next slice. False if the program memory is not as it was when it was checked before. */
bool selftest_step(void);

#endif
