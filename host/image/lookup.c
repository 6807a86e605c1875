/* SPDX-License-Identifier: MIT */
/* From an address to what holds it. */
#include "image/private.h"

static size_t first_behind(const struct image_function *functions, size_t count, uint64_t address)
{
	size_t low = 0;
	size_t high = count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (functions[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

size_t image_first_function_behind(const struct image *image, uint64_t address)
{
	return first_behind(image->functions, image->function_count, address);
}

static const struct image_function *function_at(const struct image_function *functions, size_t count, uint64_t address)
{
	size_t index = first_behind(functions, count, address);
	return index == count || functions[index].start > address ? NULL : &functions[index];
}

bool image_is_recorder(const struct image *image, uint64_t address)
{
	return address >= image->recorder_start && address < image->recorder_end;
}

const struct image_function *image_function_at(const struct image *image, uint64_t address)
{
	return function_at(image->functions, image->function_count, address);
}

const struct image_function *image_sized_function_at(const struct image *image, uint64_t address)
{
	return function_at(image->private->functions, image->private->function_count, address);
}

size_t image_holder(const struct image *image, size_t function)
{
	while (image->functions[function].host != IMAGE_NO_HOST)
		function = image->functions[function].host;
	return function;
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
