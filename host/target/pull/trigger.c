/* SPDX-License-Identifier: MIT */
/* See trigger.h. */
#include "target/pull/trigger.h"

#include <inttypes.h>
#include <string.h>

enum status trigger_find(const struct image *image, const char *function, struct trigger *trigger, struct error *error)
{
	const struct image_function *found = NULL;

	for (size_t i = 0; i < image->function_count; i++) {
		const struct image_function *candidate = &image->functions[i];

		if (strcmp(candidate->name, function) != 0)
			continue;
		if (found != NULL)
			return status_fail(error,
			                   "%s: %.100s is ambiguous: code of this name is at 0x%08" PRIx64
			                   " and at 0x%08" PRIx64,
			                   image->path, function, found->start, candidate->start);
		found = candidate;
	}
	if (found == NULL)
		return status_fail(error, "%s: there is no function %.100s", image->path, function);
	if (found->end > UINT32_MAX)
		return status_fail(error, "%s: %.100s is above 4 GB, where the recorder takes no trigger", image->path,
		                   function);
	if (image_is_recorder(image, found->start))
		return status_fail(error, "%s: %.100s is the recorder's own code, whose calls are not counted",
		                   image->path, function);
	trigger->start = (uint32_t)found->start;
	trigger->end = (uint32_t)found->end;
	return STATUS_OK;
}
