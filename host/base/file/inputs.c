/* SPDX-License-Identifier: MIT */
/* See inputs.h. */
#include "base/file/inputs.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum status append_input(struct file_inputs *inputs, const char *name, const struct stat *status,
                                struct error *error)
{
	if (!S_ISREG(status->st_mode))
		return STATUS_OK;
	const struct file_input input = {strdup(name), status->st_dev, status->st_ino};
	if (input.name != NULL && array_append(&inputs->items, &inputs->count, &input, sizeof input))
		return STATUS_OK;
	free(input.name);
	return status_no_memory(error, name);
}

enum status file_inputs_add(struct file_inputs *inputs, const char *path, struct error *error)
{
	struct stat status;

	if (strcmp(path, "-") != 0)
		return file_inputs_add_regular(inputs, path, error);
	if (inputs->has_standard_input)
		return status_usage(error, "-: named twice, but standard input can be read only once");
	inputs->has_standard_input = true;
	return fstat(STDIN_FILENO, &status) == 0 ? append_input(inputs, "standard input", &status, error) : STATUS_OK;
}

enum status file_inputs_add_regular(struct file_inputs *inputs, const char *path, struct error *error)
{
	struct stat status;

	return stat(path, &status) == 0 ? append_input(inputs, path, &status, error) : STATUS_OK;
}

void file_inputs_free(struct file_inputs *inputs)
{
	for (size_t i = 0; i < inputs->count; i++)
		free(inputs->items[i].name);
	free(inputs->items);
	*inputs = (struct file_inputs){0};
}

static enum status refuse_input(const char *path, const struct stat *status, const struct file_inputs *inputs,
                                struct error *error)
{
	for (size_t i = 0; i < inputs->count; i++) {
		const struct file_input *input = &inputs->items[i];

		if (input->device == status->st_dev && input->node == status->st_ino)
			return status_usage(error, "%s: would overwrite %s, which is an input", path, input->name);
	}
	return STATUS_OK;
}

enum status file_check_output(const char *path, const struct file_inputs *inputs, struct error *error)
{
	struct stat status;

	if (strcmp(path, "-") == 0 || stat(path, &status) != 0)
		return STATUS_OK;
	return refuse_input(path, &status, inputs, error);
}

enum status file_check_fixed_output(const char *path, const struct file_inputs *inputs, struct error *error)
{
	struct stat status;

	if (stat(path, &status) != 0)
		return STATUS_OK;
	/* Writing to a folder fails later, with its own message. */
	if (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
		return status_fail(error, "%s: not a regular file, so it is not overwritten", path);
	return refuse_input(path, &status, inputs, error);
}
