/* SPDX-License-Identifier: MIT */
/* What host/difference/ asks of host/pairing/, of pairings that comparison.c makes. */
#include "pairing/pairing.h"

size_t pairing_hosts(const struct pairing *pairing, const struct image *image, size_t pair, enum build build,
                     const char **names, size_t capacity)
{
	size_t count = 0;
	for (size_t i = 0; i < image->function_count; i++) {
		const struct image_function *function = &image->functions[i];
		if (pairing->pair_of[build][i] != pair || function->host == IMAGE_NO_HOST)
			continue;
		if (count < capacity)
			names[count] = image->functions[function->host].name;
		count++;
	}
	return count;
}

const char *pairing_how_text(enum pairing_how how)
{
	static const char *const texts[] = {
	        [PAIRED_BY_MOVED_NAME] = "by name alone",
	        [PAIRED_BY_CLONE] = "by name without suffix",
	        [PAIRED_BY_PLACE] = "by file and line",
	        [PAIRED_BY_CODE] = "by code",
	        [PAIRED_NOT] = NULL,
	};
	return texts[how];
}
