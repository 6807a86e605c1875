/* SPDX-License-Identifier: MIT */
/* See workshop.h. */
#include "workshop.h"
#include "elf_writer.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

int workshop_open(void **state)
{
	const char *build = getenv("BUILD");
	char folder[WORKSHOP_PATH_MAX];

	snprintf(folder, sizeof folder, "%s/unit-image-XXXXXX", build == NULL ? "build" : build);
	if (mkdtemp(folder) == NULL || setenv("WORKSHOP", folder, 1) != 0)
		return -1;
	return setenv("FIRMWARE", "tests/unit/firmware/firmware", 1);
}

int workshop_open_with(const char *command)
{
	return workshop_open(NULL) != 0 ? -1 : system(command);
}

int workshop_close(void **state)
{
	return system("rm -rf \"$WORKSHOP\"");
}

void workshop_path(char path[WORKSHOP_PATH_MAX], const char *name)
{
	int length = snprintf(path, WORKSHOP_PATH_MAX, "%s/%s", getenv("WORKSHOP"), name);

	assert_in_range(length, 1, WORKSHOP_PATH_MAX - 1);
}

static void close_file(void *file)
{
	fclose(file);
}

FILE *workshop_file(const char *name, const char *mode)
{
	char path[WORKSHOP_PATH_MAX];

	workshop_path(path, name);
	FILE *file = fopen(path, mode);
	assert_non_null(file);
	return release_later(file, close_file);
}

void workshop_run(const char *format, ...)
{
	char *command;
	va_list values;

	va_start(values, format);
	assert_true(vasprintf(&command, format, values) > 0);
	va_end(values);
	if (system(command) != 0)
		fail_msg("failed: %s", command);
	free(command);
}

struct image *workshop_image(const char *name)
{
	char path[WORKSHOP_PATH_MAX];

	workshop_path(path, name);
	struct image *image;
	assert_success(image_open(path, &image, &failure), &failure);
	return close_image_later(image);
}

void workshop_refuses(const char *name, const char *words)
{
	char path[WORKSHOP_PATH_MAX];

	workshop_path(path, name);
	struct image *image;
	assert_failure(image_open(path, &image, &failure), &failure, words);
	assert_null(image);
	assert_contains(failure.message, name);
}

const struct image_function *workshop_function(const struct image *image, const char *name)
{
	for (size_t i = 0; i < image->function_count; i++)
		if (strcmp(image->functions[i].name, name) == 0)
			return &image->functions[i];
	return NULL;
}

void workshop_expect(const struct image *image, const char *name, uint64_t start, uint64_t end)
{
	const struct image_function *function = workshop_function(image, name);

	if (function == NULL)
		fail_msg("no function %s", name);
	assert_int_equal(function->start, start);
	assert_int_equal(function->end, end);
}
