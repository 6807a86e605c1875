/* SPDX-License-Identifier: MIT */
/* See inputs.h. */
#include "base/file/inputs.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum status append_input(struct file_inputs *inputs, const char *name, const struct stat *info,
                                struct error *error)
{
	if (!S_ISREG(info->st_mode))
		return STATUS_OK;
	const struct file_input input = {strdup(name), info->st_dev, info->st_ino};
	if (input.name != NULL && array_append(&inputs->items, &inputs->count, &input, sizeof input))
		return STATUS_OK;
	free(input.name);
	return status_no_memory(error, name);
}

enum status file_inputs_add(struct file_inputs *inputs, const char *path, struct error *error)
{
	struct stat info;

	if (strcmp(path, "-") != 0)
		return file_inputs_add_regular(inputs, path, error);
	if (inputs->has_standard_input)
		return status_usage(error, "-: named twice, but standard input can be read only once");
	inputs->has_standard_input = true;
	return fstat(STDIN_FILENO, &info) == 0 ? append_input(inputs, "standard input", &info, error) : STATUS_OK;
}

enum status file_inputs_add_regular(struct file_inputs *inputs, const char *path, struct error *error)
{
	struct stat info;

	return stat(path, &info) == 0 ? append_input(inputs, path, &info, error) : STATUS_OK;
}

void file_inputs_free(struct file_inputs *inputs)
{
	for (size_t i = 0; i < inputs->count; i++)
		free(inputs->items[i].name);
	free(inputs->items);
	*inputs = (struct file_inputs){0};
}

static enum status refuse_input(const char *path, const struct stat *info, const struct file_inputs *inputs,
                                struct error *error)
{
	for (size_t i = 0; i < inputs->count; i++) {
		const struct file_input *input = &inputs->items[i];

		if (input->device == info->st_dev && input->node == info->st_ino)
			return status_usage(error, "%s: would overwrite %s, which is an input", path, input->name);
	}
	return STATUS_OK;
}

enum status file_check_output(const char *path, const struct file_inputs *inputs, struct error *error)
{
	struct stat info;

	if (strcmp(path, "-") == 0 || stat(path, &info) != 0)
		return STATUS_OK;
	return refuse_input(path, &info, inputs, error);
}

enum status file_check_implicit_output(const char *path, const struct file_inputs *inputs, struct error *error)
{
	struct stat info;

	if (stat(path, &info) != 0)
		return STATUS_OK;
	/* Writing to a folder fails later, with its own message. */
	if (!S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode))
		return status_fail(error, "%s: not a regular file, so it is not overwritten", path);
	return refuse_input(path, &info, inputs, error);
}
