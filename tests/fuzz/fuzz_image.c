/* SPDX-License-Identifier: MIT */
/* Any bytes as a firmware ELF: opened, and asked everything that can be asked of one. */
#include "image/identity.h"
#include "image/image.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void touch_function(void *context, const struct image_function *function, enum image_invention invention)
{
	(void)invention;
	*(uint64_t *)context += function->start;
}

/* What image.h promises of the functions of every image. */
static void check_functions(const struct image *image)
{
	for (size_t i = 0; i < image->function_count; i++) {
		const struct image_function *function = &image->functions[i];
		bool follows = i == 0 || image->functions[i - 1].end <= function->start;
		if (function->start >= function->end || !follows || strlen(function->name) > IMAGE_NAME_MAX ||
		    image_function_at(image, function->start) != function ||
		    image_function_at(image, function->end - 1) != function)
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct image *image;
	struct error error = {.message = ""};
	if (image_decode("fuzz.elf", data, size, &image, &error) != STATUS_OK) {
		if (error.message[0] == '\0' || image != NULL)
			abort();
		return 0;
	}
	check_functions(image);
	uint64_t sum = image_code_hash(image);
	image_find_inventions(image, touch_function, &sum);
	for (size_t i = 0; i < image->function_count && i < 1000; i++) {
		const char *file;
		int line;
		if (image_line(image, image->functions[i].start, &file, &line) &&
		    (line <= 0 || strlen(file) > IMAGE_NAME_MAX))
			abort();
	}
	image_symbol(image, "bareprof_block", &sum);
	image_close(image);
	return 0;
}
