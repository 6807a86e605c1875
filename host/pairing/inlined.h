/* SPDX-License-Identifier: MIT */
/* Functions that are in one build only because they were inlined in the other. Private to pairing/. */
#ifndef PAIRING_INLINED_H
#define PAIRING_INLINED_H

#include "pairing/groups.h"

/*
 * Looks in each image for code of the functions that the other one alone has a name left for, and outlines what there
 * is in both: else a function that was inlined here and there before, and everywhere now, would seem to have grown.
 * *is_changed: the images are divided anew, and what refers to their functions is void.
 */
enum status outline_vanished(struct image *images[BUILD_COUNT], const struct groups groups[BUILD_COUNT],
                             bool *is_changed, struct error *error);

#endif
