/* SPDX-License-Identifier: MIT */
/* The function whose call is to start a profile, found by its name. Knows nothing of targets. */
#ifndef TARGET_PULL_TRIGGER_H
#define TARGET_PULL_TRIGGER_H

#include "base/status.h"
#include "firmware/image.h"

#include <stdint.h>

struct trigger {
	uint32_t start; /* of its first byte */
	uint32_t end;   /* behind its last one */
	uint32_t ticks; /* after which the profile stops; 0 = none */
};

/*
 * Finds the code of the function with this name, the ticks are the caller's. A name that is none or that several
 * stretches of code have is a failure, as is code above 4 GB: the recorder compares the low halves of addresses.
 */
enum status trigger_find(const struct image *image, const char *function, struct trigger *trigger, struct error *error);

#endif
