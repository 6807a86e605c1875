/* SPDX-License-Identifier: MIT */
/* How a build is kept. Kept files never change, and two processes may keep builds at the same time. */
#include "base/file/file.h"
#include "diff/baseline/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file to be kept. */
struct original {
	uint8_t *bytes;
	size_t size;
};

static enum status read_original(const char *path, struct original *original, struct error *error)
{
	if (!file_can_be_read_again(path))
		return status_fail(error, "%s: not a regular file, so it cannot be read a second time to be kept",
		                   path);
	return file_read(path, &original->bytes, &original->size, error);
}

static bool holds_the_same(const char *path, const struct original *original)
{
	uint8_t *bytes;
	size_t size;
	struct error ignored;

	if (!baseline_is_file(path) || file_read_regular(path, original->size, &bytes, &size, &ignored) != STATUS_OK)
		return false;
	bool is_same = size == original->size && memcmp(bytes, original->bytes, size) == 0;
	free(bytes);
	return is_same;
}

static enum status make_folder(const char *path, struct error *error)
{
	if (mkdir(path, 0777) != 0 && errno != EEXIST)
		return status_fail(error, "%s: cannot create: %s", path, strerror(errno));
	return STATUS_OK;
}

static enum status keep_firmware(const char *build, const char *firmware, struct error *error)
{
	struct original original = {0};
	char *path = baseline_path(build, "firmware.elf");

	if (path == NULL)
		return baseline_no_memory(build, error);
	enum status status = read_original(firmware, &original, error);
	if (status == STATUS_OK && !holds_the_same(path, &original))
		status = baseline_write(path, original.bytes, original.size, error);
	free(original.bytes);
	free(path);
	return status;
}

/* An empty file reserves the number against other processes, then the capture replaces it. */
static enum status write_numbered(const char *path, const struct original *original, bool *is_taken,
                                  struct error *error)
{
	int claim = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

	*is_taken = claim < 0 && errno == EEXIST;
	if (*is_taken)
		return STATUS_OK;
	if (claim < 0)
		return status_fail(error, "%s: cannot create: %s", path, strerror(errno));
	close(claim);
	enum status status = baseline_write(path, original->bytes, original->size, error);
	if (status != STATUS_OK)
		unlink(path);
	return status;
}

/* Numbers continue after the last capture, which preserves their order. */
static enum status write_next(const char *build, unsigned number, const struct original *original, struct error *error)
{
	enum status status = STATUS_OK;

	for (bool is_taken = true; status == STATUS_OK && is_taken; number++) {
		char name[BASELINE_NAME_SIZE];

		if (number > BASELINE_NUMBER_MAX)
			return status_fail(error, "%s: has %d captures already, the most that are kept of one build",
			                   build, BASELINE_NUMBER_MAX);
		snprintf(name, sizeof name, BASELINE_NAME_FORMAT, number);
		char *path = baseline_path(build, name);
		status = path == NULL ? baseline_no_memory(build, error)
		                      : write_numbered(path, original, &is_taken, error);
		free(path);
	}
	return status;
}

/* Whether one of the kept captures has the same bytes; *number is the number of the last capture. */
static enum status find_same(const char *build, const struct original *original, bool *is_there, unsigned *number,
                             struct error *error)
{
	struct dirent **entries;
	size_t count;
	enum status status = baseline_list(build, baseline_is_capture_name, &entries, &count, error);

	if (status != STATUS_OK)
		return status;
	for (size_t i = 0; status == STATUS_OK && i < count && !*is_there; i++) {
		char *path = baseline_path(build, entries[i]->d_name);

		*number = (unsigned)strtoul(entries[i]->d_name, NULL, 10);
		if (path == NULL)
			status = baseline_no_memory(build, error);
		else
			*is_there = holds_the_same(path, original);
		free(path);
	}
	baseline_free_entries(entries, count);
	return status;
}

static enum status keep_capture(const char *build, const char *capture, struct error *error)
{
	struct original original = {0};
	bool is_there = false;
	unsigned number = 0;
	enum status status = read_original(capture, &original, error);

	if (status == STATUS_OK)
		status = find_same(build, &original, &is_there, &number, error);
	if (status == STATUS_OK && !is_there)
		status = write_next(build, number + 1, &original, error);
	free(original.bytes);
	return status;
}

static enum status keep(const char *build, const char *firmware, char *const *captures, size_t capture_count,
                        struct error *error)
{
	enum status status = make_folder(build, error);

	if (status == STATUS_OK && !baseline_is_folder(build))
		return status_fail(error, "%s: not a folder", build);
	if (status == STATUS_OK)
		status = keep_firmware(build, firmware, error);
	for (size_t i = 0; status == STATUS_OK && i < capture_count; i++)
		status = keep_capture(build, captures[i], error);
	return status;
}

/* Held while a build is kept: otherwise two processes could lose a line of the list of builds, or keep the same capture
 * twice. File systems without locks do not prevent that. */
static int lock_folder(const char *folder)
{
	int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	while (descriptor >= 0 && flock(descriptor, LOCK_EX) != 0 && errno == EINTR)
		continue;
	return descriptor;
}

static enum status keep_as(const char *folder, const char *id, const char *firmware, char *const *captures,
                           size_t capture_count, struct error *error)
{
	char *build = baseline_path(folder, id);

	if (build == NULL)
		return baseline_no_memory(folder, error);
	enum status status = make_folder(folder, error);
	int lock = lock_folder(folder);
	if (status == STATUS_OK)
		status = keep(build, firmware, captures, capture_count, error);
	if (status == STATUS_OK)
		status = baseline_write_last(folder, id, error);
	if (lock >= 0)
		close(lock);
	free(build);
	return status;
}

enum status baseline_keep(const char *folder, const struct image *image, char *const *captures, size_t capture_count,
                          struct error *error)
{
	if (image->build_id_size < BASELINE_ID_BYTES_MIN)
		return status_fail(error,
		                   "%s: has no build-id of %d bytes or more, by which builds are kept: link it with "
		                   "-Wl,--build-id",
		                   image->path, BASELINE_ID_BYTES_MIN);
	char *id = baseline_id(image);
	if (id == NULL)
		return baseline_no_memory(folder, error);
	enum status status = keep_as(folder, id, image->path, captures, capture_count, error);
	free(id);
	return status;
}
