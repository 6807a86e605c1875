/* SPDX-License-Identifier: MIT */
/* Functions whose code the two builds inlined differently. Private to pairing/. */
#ifndef DIFF_PAIRING_INLINED_H
#define DIFF_PAIRING_INLINED_H

#include "diff/pairing/groups.h"

/*
 * Outlines every function of the groups in both images, to find the functions that hold its code. *is_changed:
 * something was outlined, and references to the images' functions are void.
 */
enum status outline_all(struct image *images[BUILD_COUNT], const struct groups groups[BUILD_COUNT], bool *is_changed,
                        struct error *error);

/*
 * Of the groups found after outline_all(), paired by name, outlines only those that the builds inlined differently:
 * into other functions, in part, or everywhere in one build so that no symbol is left there. Code that is a part of the
 * same functions in both builds stays where it is. References to the images' functions are void afterwards.
 */
enum status outline_moved(struct image *images[BUILD_COUNT], const struct groups groups[BUILD_COUNT],
                          struct error *error);

#endif
