/* SPDX-License-Identifier: MIT */
/* Functions whose code the two builds inlined differently. Private to pairing/. */
#ifndef DIFF_PAIRING_INLINED_H
#define DIFF_PAIRING_INLINED_H

#include "diff/pairing/groups.h"

/* Splits off the inlined code of every function of the groups in both images, to find the functions that contain this
 * code. *is_changed: something was split off, and references to the images' functions are invalid. */
enum status split_all_inlined(struct image *images[BUILD_COUNT], const struct groups groups[BUILD_COUNT],
                              bool *is_changed, struct error *error);

/*
 * Splits off only those functions paired by name that the builds inline differently: into other functions, in part, or
 * in one build everywhere, so that the function has no symbol there. Other inlined code stays in the functions that
 * contain it. Invalidates references to the functions of the images.
 */
enum status split_moved_inlined(struct image *images[BUILD_COUNT], const struct groups groups[BUILD_COUNT],
                                struct error *error);

#endif
