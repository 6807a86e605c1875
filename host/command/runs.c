/* SPDX-License-Identifier: MIT */
/* Opening of a RUN, which is a capture or a gmon.out, distinguished by its first bytes. See captures.h. */
#include "command/captures.h"

#include "base/file/file.h"
#include "base/file/inputs.h"

#include <stdlib.h>
#include <string.h>

enum status command_check_inputs(const char *firmware, char *const *runs, size_t run_count, const char *output,
                                 struct error *error)
{
	struct file_inputs inputs = {0};
	enum status status = firmware != NULL ? file_inputs_add(&inputs, firmware, error) : STATUS_OK;

	for (size_t i = 0; status == STATUS_OK && i < run_count; i++)
		status = file_inputs_add(&inputs, runs[i], error);
	if (status == STATUS_OK && output != NULL)
		status = file_check_output(output, &inputs, error);
	file_inputs_free(&inputs);
	return status;
}

enum command_run_kind command_run_kind(const uint8_t *bytes, size_t size, enum gmon_format format)
{
	if (capture_is(bytes, size))
		return RUN_CAPTURE;
	return gmon_is(bytes, size) || format != GMON_AUTO ? RUN_GMON : RUN_CAPTURE;
}

static bool is_elf(const uint8_t *bytes, size_t size)
{
	return size >= 4 && memcmp(bytes, "\177ELF", 4) == 0;
}

static enum status decode_gmon(const char *path, const uint8_t *bytes, size_t size, const struct capture_order *order,
                               enum gmon_format format, struct capture **capture, struct error *error)
{
	struct gmon gmon = {0};

	if (order == NULL)
		return status_fail(error, "%s: a gmon.out does not contain its byte order: name the firmware, too",
		                   path);
	/* A magic overrides --file-format. */
	enum gmon_format found = gmon_is(bytes, size) ? GMON_MAGIC : format;
	enum status status = gmon_decode(path, bytes, size, order, found, &gmon, error);
	if (status == STATUS_OK)
		status = gmon_to_capture(path, &gmon, order, capture, error);
	gmon_free(&gmon);
	return status;
}

enum status command_decode_run(const char *path, const uint8_t *bytes, size_t size, const struct capture_order *order,
                               enum gmon_format format, struct capture **capture, struct error *error)
{
	if (command_run_kind(bytes, size, format) == RUN_GMON)
		return decode_gmon(path, bytes, size, order, format, capture, error);
	if (is_elf(bytes, size))
		return status_fail(error, "%s: an ELF where a capture or gmon.out is expected; --help shows the order",
		                   path);
	if (!capture_is(bytes, size))
		return status_fail(error,
		                   "%s: neither a capture nor gmon.out as GNU writes it; --file-format takes BSD's, "
		                   "bareprof pull file:%s a dump of more memory",
		                   path, path);
	return capture_decode(path, bytes, size, capture, error);
}

enum status command_open_run(const char *path, const struct capture_order *order, enum gmon_format format,
                             struct capture **capture, struct error *error)
{
	uint8_t *bytes;
	size_t size;
	enum status status = file_read(path, &bytes, &size, error);

	if (status != STATUS_OK)
		return status;
	status = command_decode_run(path, bytes, size, order, format, capture, error);
	free(bytes);
	return status;
}
