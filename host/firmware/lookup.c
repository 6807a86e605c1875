/* SPDX-License-Identifier: MIT */
/* The functions of the current division, and lookups by address. */
#include "firmware/private.h"

#include "base/search.h"

#include <stdlib.h>

static size_t first_after(const struct image_function *functions, size_t count, uint64_t address)
{
	return first_above(functions, count, sizeof *functions, offsetof(struct image_function, end), address);
}

size_t image_first_function_after(const struct image *image, uint64_t address)
{
	return first_after(image->functions, image->function_count, address);
}

static const struct image_function *function_in_division(const struct image_function *functions, size_t count,
                                                         uint64_t address)
{
	size_t index = first_after(functions, count, address);

	return index == count || functions[index].start > address ? NULL : &functions[index];
}

void image_replace_functions(struct image *image, struct image_function *functions, size_t count)
{
	free(image->private->divided);
	image->private->divided = functions;
	image->functions = functions;
	image->function_count = count;
}

bool image_is_recorder(const struct image *image, uint64_t address)
{
	const struct image_range *extents = image->recorder;
	size_t next = first_above(extents, image->recorder_count, sizeof *extents, offsetof(struct image_range, start),
	                          address);

	return next > 0 && address < extents[next - 1].end;
}

const struct image_function *image_function_at(const struct image *image, uint64_t address)
{
	return function_in_division(image->functions, image->function_count, address);
}

const struct image_function *image_sized_function_at(const struct image *image, uint64_t address)
{
	return function_in_division(image->private->functions, image->private->function_count, address);
}

size_t image_containing_function(const struct image *image, size_t function)
{
	while (image->functions[function].inlined_into != IMAGE_NOT_INLINED)
		function = image->functions[function].inlined_into;
	return function;
}

size_t image_whole_function(const struct image *image, size_t function)
{
	return image->functions[image_containing_function(image, function)].first;
}

const struct image_code *image_code_at(const struct image *image, uint64_t address)
{
	size_t next = first_above(image->code, image->code_count, sizeof *image->code,
	                          offsetof(struct image_code, address), address);

	if (next == 0 || address - image->code[next - 1].address >= image->code[next - 1].size)
		return NULL;
	return &image->code[next - 1];
}
