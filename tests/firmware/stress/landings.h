/* SPDX-License-Identifier: MIT */
/* Counts at which instructions of the recorder interrupts came. */
#ifndef FIRMWARE_STRESS_LANDINGS_H
#define FIRMWARE_STRESS_LANDINGS_H

#include <stdint.h>

enum landing_source { LANDING_WORK, LANDING_SAMPLING, LANDING_SOURCES };

/* Called by the handler of this source with the PC that it returns to. */
void landing_count(enum landing_source source, uintptr_t pc);

/* Writes a line `landing ADDRESS WORK SAMPLING` for each address at which there was one. */
void landings_write(void);

#endif
