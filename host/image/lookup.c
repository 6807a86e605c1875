/* SPDX-License-Identifier: MIT */
/* From an address to what holds it. */
#include "image/private.h"

size_t image_first_function_behind(const struct image *image, uint64_t address)
{
	size_t low = 0;
	size_t high = image->function_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (image->functions[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct image_function *image_function_at(const struct image *image, uint64_t address)
{
	size_t index = image_first_function_behind(image, address);
	if (index == image->function_count || image->functions[index].start > address)
		return NULL;
	return &image->functions[index];
}

const struct image_code *image_code_at(const struct image *image, uint64_t address)
{
	size_t low = 0;
	size_t high = image->code_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (image->code[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0 || address - image->code[low - 1].address >= image->code[low - 1].size)
		return NULL;
	return &image->code[low - 1];
}
