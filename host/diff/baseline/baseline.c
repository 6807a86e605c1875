/* SPDX-License-Identifier: MIT */
/*
 * See baseline.h. Other programs can write to the folder, so links are not followed, and entries of an unexpected type
 * are ignored. The file FOLDER/last lists the build-ids, one per line, in the order in which the builds were kept. Kept
 * files never change, and two processes may keep builds at the same time.
 */
#include "diff/baseline/baseline.h"

#include "base/array.h"
#include "base/file/file.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define LAST_SIZE_MAX ((size_t)16 * 1024 * 1024)

/* The sizes of build-ids that linkers generate. */
#define ID_BYTES_MIN 4
#define ID_BYTES_MAX 64

/* Captures of one build are numbered from 1 on. */
#define NUMBER_MAX  9999
#define NAME_FORMAT "%04u.bprof"
#define NAME_SIZE   sizeof "9999.bprof"

/* Whether a text of this length is a build-id as it appears in names of folders. */
static bool is_id(const char *text, size_t length)
{
	bool is_hexadecimal = true;

	for (size_t i = 0; i < length && is_hexadecimal; i++)
		is_hexadecimal = (text[i] >= '0' && text[i] <= '9') || (text[i] >= 'a' && text[i] <= 'f');
	return is_hexadecimal && length >= 2 * ID_BYTES_MIN && length <= 2 * ID_BYTES_MAX && length % 2 == 0;
}

static int is_build_name(const struct dirent *entry)
{
	return is_id(entry->d_name, strlen(entry->d_name));
}

static int is_capture_name(const struct dirent *entry)
{
	char expected[NAME_SIZE];
	unsigned number = (unsigned)strtoul(entry->d_name, NULL, 10) % (NUMBER_MAX + 1);

	snprintf(expected, sizeof expected, NAME_FORMAT, number);
	return number > 0 && strcmp(entry->d_name, expected) == 0;
}

/* Lists the matching entries of a folder, of any type, sorted by name. Freed by free_entries(). */
static enum status list_entries(const char *path, int (*is_wanted)(const struct dirent *entry),
                                struct dirent ***entries, size_t *count, struct error *error)
{
	int found = scandir(path, entries, is_wanted, alphasort);

	*count = found < 0 ? 0 : (size_t)found;
	return found < 0 ? status_fail(error, "%s: cannot open: %s", path, strerror(errno)) : STATUS_OK;
}

static void free_entries(struct dirent **entries, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(entries[i]);
	free(entries);
}

/* *path becomes FOLDER/NAME, which the caller frees; NULL after a failure. */
static enum status join_path(const char *folder, const char *name, char **path, struct error *error)
{
	if (asprintf(path, "%s/%s", folder, name) >= 0)
		return STATUS_OK;
	*path = NULL;
	status_no_memory(error, folder);
	return STATUS_FAILED;
}

static bool is_there(const char *path)
{
	struct stat found;

	return lstat(path, &found) == 0 || errno != ENOENT;
}

/* Whether path itself has this type: regular file (S_IFREG) or folder (S_IFDIR). A link has neither. */
static bool has_type(const char *path, mode_t type)
{
	struct stat found;

	return lstat(path, &found) == 0 && (found.st_mode & S_IFMT) == type;
}

/* Replaces a file; fails for anything else, such as a link. */
static enum status replace_file(const char *path, const void *bytes, size_t size, struct error *error)
{
	struct stat found;

	if (lstat(path, &found) == 0 && !S_ISREG(found.st_mode))
		return status_fail(error, "%s: not a regular file, so it is not overwritten", path);
	return file_write(path, bytes, size, error);
}

/* --- The list of builds. */

/* The build-ids in FOLDER/last; empty if there is no such file. */
struct id_list {
	char **items;
	size_t count;
};

/* Freed by free_ids(), also after a failure. */
static enum status read_ids(const char *path, struct id_list *ids, struct error *error)
{
	uint8_t *bytes = NULL;
	size_t size = 0;

	*ids = (struct id_list){.count = 0};
	if (!is_there(path))
		return STATUS_OK;
	if (!has_type(path, S_IFREG))
		return status_fail(error, "%s: not a regular file", path);
	enum status status = file_read_regular(path, LAST_SIZE_MAX, &bytes, &size, error);
	for (size_t at = 0; status == STATUS_OK && at < size;) {
		const char *text = (const char *)bytes + at, *end = memchr(text, '\n', size - at);
		size_t length = end == NULL ? size - at : (size_t)(end - text);

		if (!is_id(text, length))
			status = status_fail(error, "%s: line %zu is not a build-id", path, ids->count + 1);
		else if (array_append_text(&ids->items, &ids->count, text, length) == NULL)
			status = status_no_memory(error, path);
		at += length + 1;
	}
	free(bytes);
	return status;
}

static void free_ids(struct id_list *ids)
{
	for (size_t i = 0; i < ids->count; i++)
		free(ids->items[i]);
	free(ids->items);
}

static enum status write_ids(const char *path, const struct id_list *ids, const char *last, struct error *error)
{
	char *text = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&text, &size);

	if (stream == NULL)
		return status_no_memory(error, path);
	for (size_t i = 0; i < ids->count; i++)
		if (strcmp(ids->items[i], last) != 0)
			fprintf(stream, "%s\n", ids->items[i]);
	fprintf(stream, "%s\n", last);
	enum status status =
	        fclose(stream) == 0 ? replace_file(path, text, size, error) : status_no_memory(error, path);
	free(text);
	return status;
}

/* Moves the build-id to the end of the list, or appends it. The caller holds the lock of the folder. */
static enum status move_to_end(const char *folder, const char *id, struct error *error)
{
	struct id_list ids = {.count = 0};
	char *path;
	enum status status = join_path(folder, "last", &path, error);

	if (status == STATUS_OK)
		status = read_ids(path, &ids, error);
	if (status == STATUS_OK)
		status = write_ids(path, &ids, id, error);
	free_ids(&ids);
	free(path);
	return status;
}

/* --- Finding. */

/* The fewest digits that identify a build. */
#define DIGITS_MIN 4

static enum status load_captures(const char *path, struct baseline_build *build, struct error *error)
{
	struct dirent **entries;
	size_t count;
	enum status status = list_entries(path, is_capture_name, &entries, &count, error);

	if (status != STATUS_OK)
		return status;
	build->captures = calloc(count + 1, sizeof *build->captures);
	if (build->captures == NULL)
		status = status_no_memory(error, path);
	for (size_t i = 0; build->captures != NULL && status == STATUS_OK && i < count; i++) {
		char **capture = &build->captures[build->capture_count];
		struct stat found;

		status = join_path(path, entries[i]->d_name, capture, error);
		/* An empty file is still being written by another process. */
		if (status == STATUS_OK && lstat(*capture, &found) == 0 && S_ISREG(found.st_mode) && found.st_size > 0)
			build->capture_count++;
		else
			free(*capture);
	}
	free_entries(entries, count);
	if (status == STATUS_OK && build->capture_count == 0)
		return status_fail(error, "%s: contains no capture such as 0001.bprof", path);
	return status;
}

/* Loads FOLDER/ID; fails if firmware or captures are missing, and then leaves the build empty. */
static enum status load_build(const char *folder, const char *id, struct baseline_build *build, struct error *error)
{
	char *path;
	enum status status = join_path(folder, id, &path, error);

	if (status == STATUS_OK)
		status = join_path(path, "firmware.elf", &build->firmware, error);
	if (status == STATUS_OK && !has_type(path, S_IFDIR))
		status = status_fail(error, "%s: not a folder", path);
	if (status == STATUS_OK && !has_type(build->firmware, S_IFREG))
		status = status_fail(error, "%s: missing or not a regular file", build->firmware);
	if (status == STATUS_OK)
		status = load_captures(path, build, error);
	if (status != STATUS_OK)
		baseline_free(build);
	free(path);
	return status;
}

/* Entries are sorted, so entries with a common prefix are neighbours, the shortest first. */
static enum status load_matching(const char *folder, struct dirent *const *entries, size_t count, const char *digits,
                                 struct baseline_build *build, struct error *error)
{
	size_t first = 0, length = strlen(digits);

	while (first < count && strncmp(entries[first]->d_name, digits, length) != 0)
		first++;
	if (first == count)
		return status_fail(error, "%s: contains no build whose build-id begins with %s", folder, digits);
	const char *found = entries[first]->d_name;
	if (strlen(found) > length && first + 1 < count && strncmp(entries[first + 1]->d_name, digits, length) == 0)
		return status_fail(error, "%s: more than one build-id begins with %s: %s, %s", folder, digits, found,
		                   entries[first + 1]->d_name);
	return load_build(folder, found, build, error);
}

enum status baseline_find(const char *folder, const char *id, struct baseline_build *build, struct error *error)
{
	char digits[2 * ID_BYTES_MAX + 1] = "";
	struct dirent **entries;
	size_t length = strlen(id), count;

	*build = (struct baseline_build){0};
	for (size_t i = 0; i < length && i < sizeof digits - 1; i++)
		digits[i] = (char)tolower((unsigned char)id[i]);
	if (length < DIGITS_MIN || strspn(digits, "0123456789abcdef") != length)
		return status_usage(error,
		                    "'%.40s' is not a build-id: expected %d to %d hexadecimal digits, or the first "
		                    "ones if no other build begins with them",
		                    id, DIGITS_MIN, 2 * ID_BYTES_MAX);
	enum status status = list_entries(folder, is_build_name, &entries, &count, error);
	if (status != STATUS_OK)
		return status;
	status = load_matching(folder, entries, count, digits, build, error);
	free_entries(entries, count);
	return status;
}

/* Fails rather than choose an older build: the user may not know that the folder is missing. */
static enum status load_last(const char *folder, const char *id, struct baseline_build *build, struct error *error)
{
	char *path;
	enum status status = join_path(folder, id, &path, error);

	if (status == STATUS_OK && !is_there(path))
		status = status_fail(error, "%s/last: the folder of build %s is missing; restore it or remove its line",
		                     folder, id);
	free(path);
	return status == STATUS_OK ? load_build(folder, id, build, error) : status;
}

enum status baseline_find_last(const char *folder, const char *except, struct baseline_build *build,
                               struct error *error)
{
	struct id_list ids = {.count = 0};
	struct stat found;
	char *path;

	*build = (struct baseline_build){0};
	if (stat(folder, &found) == 0 && !S_ISDIR(found.st_mode))
		return status_fail(error, "%s: not a folder", folder);
	enum status status = join_path(folder, "last", &path, error);
	if (status == STATUS_OK)
		status = read_ids(path, &ids, error);
	size_t count = ids.count;
	while (count > 0 && except != NULL && strcmp(ids.items[count - 1], except) == 0)
		count--;
	if (status == STATUS_OK && count > 0)
		status = load_last(folder, ids.items[count - 1], build, error);
	free_ids(&ids);
	free(path);
	return status;
}

void baseline_free(struct baseline_build *build)
{
	for (size_t i = 0; i < build->capture_count; i++)
		free(build->captures[i]);
	free(build->captures);
	free(build->firmware);
	*build = (struct baseline_build){0};
}

/* --- Keeping. */

struct original_file {
	uint8_t *bytes;
	size_t size;
};

static enum status read_original(const char *path, struct original_file *original, struct error *error)
{
	if (!file_can_be_read_again(path))
		return status_fail(error, "%s: not a regular file, so it cannot be read a second time to be kept",
		                   path);
	return file_read(path, &original->bytes, &original->size, error);
}

static bool holds_the_same(const char *path, const struct original_file *original)
{
	uint8_t *bytes;
	size_t size;
	struct error ignored;

	if (!has_type(path, S_IFREG) || file_read_regular(path, original->size, &bytes, &size, &ignored) != STATUS_OK)
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
	struct original_file original = {0};
	char *path;
	enum status status = join_path(build, "firmware.elf", &path, error);

	if (status == STATUS_OK)
		status = read_original(firmware, &original, error);
	if (status == STATUS_OK && !holds_the_same(path, &original))
		status = replace_file(path, original.bytes, original.size, error);
	free(original.bytes);
	free(path);
	return status;
}

/* Numbers continue after the last capture, which preserves the order of captures. An empty file reserves the number
 * against other processes; the capture then replaces it. */
static enum status write_next(const char *build, unsigned number, const struct original_file *original,
                              struct error *error)
{
	char name[NAME_SIZE], *path = NULL;
	int claim = -1;
	enum status status = STATUS_OK;

	while (status == STATUS_OK && claim < 0) {
		free(path);
		if (number > NUMBER_MAX)
			return status_fail(error, "%s: has %d captures already, the most that are kept of one build",
			                   build, NUMBER_MAX);
		snprintf(name, sizeof name, NAME_FORMAT, number++);
		status = join_path(build, name, &path, error);
		if (status == STATUS_OK)
			claim = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (status == STATUS_OK && claim < 0 && errno != EEXIST)
			status = status_fail(error, "%s: cannot create: %s", path, strerror(errno));
	}
	if (claim >= 0) {
		close(claim);
		status = replace_file(path, original->bytes, original->size, error);
		if (status != STATUS_OK)
			unlink(path);
	}
	free(path);
	return status;
}

/* Each capture is kept once. */
static enum status keep_capture(const char *build, const char *capture, struct error *error)
{
	struct original_file original = {0};
	struct dirent **entries = NULL;
	size_t count = 0;
	bool is_kept = false;
	unsigned number = 0;
	enum status status = read_original(capture, &original, error);

	if (status == STATUS_OK)
		status = list_entries(build, is_capture_name, &entries, &count, error);
	for (size_t i = 0; status == STATUS_OK && i < count && !is_kept; i++) {
		char *path;

		number = (unsigned)strtoul(entries[i]->d_name, NULL, 10);
		status = join_path(build, entries[i]->d_name, &path, error);
		is_kept = status == STATUS_OK && holds_the_same(path, &original);
		free(path);
	}
	if (status == STATUS_OK && !is_kept)
		status = write_next(build, number + 1, &original, error);
	free_entries(entries, count);
	free(original.bytes);
	return status;
}

static enum status keep_build(const char *build, const char *firmware, char *const *captures, size_t capture_count,
                              struct error *error)
{
	enum status status = make_folder(build, error);

	if (status == STATUS_OK && !has_type(build, S_IFDIR))
		return status_fail(error, "%s: not a folder", build);
	if (status == STATUS_OK)
		status = keep_firmware(build, firmware, error);
	for (size_t i = 0; status == STATUS_OK && i < capture_count; i++)
		status = keep_capture(build, captures[i], error);
	return status;
}

/* The lock held while a build is kept. Without it, two processes could lose a line of the list of builds, or keep the
 * same capture twice. File systems without locks do not prevent this. */
static int lock_folder(const char *folder)
{
	int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	while (descriptor >= 0 && flock(descriptor, LOCK_EX) != 0 && errno == EINTR)
		continue;
	return descriptor;
}

enum status baseline_keep(const char *folder, const struct image *image, char *const *captures, size_t capture_count,
                          struct error *error)
{
	char id[IMAGE_BUILD_ID_TEXT_SIZE], *build;

	if (image->build_id_size < ID_BYTES_MIN)
		return status_fail(error,
		                   "%s: has no build-id of %d bytes or more, by which builds are kept: link it with "
		                   "-Wl,--build-id",
		                   image->path, ID_BYTES_MIN);
	enum status status = join_path(folder, image_format_build_id(image, id), &build, error);
	if (status == STATUS_OK)
		status = make_folder(folder, error);
	int lock = lock_folder(folder);
	if (status == STATUS_OK)
		status = keep_build(build, image->path, captures, capture_count, error);
	if (status == STATUS_OK)
		status = move_to_end(folder, id, error);
	if (lock >= 0)
		close(lock);
	free(build);
	return status;
}
