/* SPDX-License-Identifier: MIT */
/* The function whose call starts a profile, found by name. */
#ifndef TARGET_PULL_TRIGGER_H
#define TARGET_PULL_TRIGGER_H

#include "base/status.h"
#include "firmware/image.h"

#include <stdint.h>

struct trigger {
	uint32_t start; /* first byte */
	uint32_t end;   /* one past the last byte */
	uint32_t ticks; /* after which the profile stops; 0 = none */
};

/* Finds the code of the named function; sets start and end only. Fails if no function or several ranges of code have
 * the name, or if the code lies above 4 GB: the recorder compares the low halves of addresses. */
enum status trigger_find(const struct image *image, const char *function, struct trigger *trigger, struct error *error);

#endif
