/* SPDX-License-Identifier: MIT */
/* See shelf.h. */
#include "shelf.h"
#include "test.h"

#include <dirent.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[256];
static struct image image;

int shelf_open(void **state)
{
	const char *build = getenv("BUILD");

	snprintf(folder, sizeof folder, "%s/unit-baseline-XXXXXX", build == NULL ? "build" : build);
	return mkdtemp(folder) == NULL ? -1 : 0;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *place)
{
	(void)status;
	(void)type;
	(void)place;
	return remove(path);
}

int shelf_close(void **state)
{
	return nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

const char *shelf_path(const char *name)
{
	static char paths[8][600];
	static unsigned turn;

	turn = (turn + 1) % 8;
	snprintf(paths[turn], sizeof paths[turn], "%s/%s", folder, name);
	return paths[turn];
}

const char *shelf_baseline(void)
{
	return shelf_path("kept");
}

void shelf_write(const char *name, const char *text)
{
	FILE *stream = fopen(shelf_path(name), "w");

	assert_non_null(stream);
	fputs(text, stream);
	assert_int_equal(fclose(stream), 0);
}

void shelf_expect(const char *name, const char *text)
{
	char found[1000] = "";
	FILE *stream = fopen(shelf_path(name), "r");

	if (stream == NULL)
		fail_msg("%s is not there", name);
	found[fread(found, 1, sizeof found - 1, stream)] = '\0';
	fclose(stream);
	assert_string_equal(found, text);
}

size_t shelf_count(const char *name)
{
	DIR *directory = opendir(shelf_path(name));
	size_t count = 0;

	assert_non_null(directory);
	for (struct dirent *entry; (entry = readdir(directory)) != NULL;)
		count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
	closedir(directory);
	return count;
}

struct image *shelf_image(uint8_t byte, const char *text)
{
	static char path[600];

	snprintf(path, sizeof path, "%s/fw.elf", folder);
	shelf_write("fw.elf", text);
	image = (struct image){.path = path, .build_id_size = SHELF_ID_SIZE};
	memset(image.build_id, byte, SHELF_ID_SIZE);
	return &image;
}

const char *shelf_id(uint8_t byte)
{
	static char id[2 * SHELF_ID_SIZE + 1];

	for (size_t i = 0; i < SHELF_ID_SIZE; i++)
		snprintf(id + 2 * i, 3, "%02x", byte);
	return id;
}

static enum status keep(const struct image *firmware, const char *capture, struct error *error)
{
	char path[600], *captures[] = {path};

	snprintf(path, sizeof path, "%s", shelf_path("run.bprof"));
	shelf_write("run.bprof", capture);
	return baseline_keep(shelf_baseline(), firmware, captures, 1, error);
}

void shelf_keep_image(const struct image *firmware, const char *capture)
{
	assert_success(keep(firmware, capture, &failure), &failure);
}

void shelf_keep(uint8_t byte, const char *capture)
{
	shelf_keep_image(shelf_image(byte, shelf_id(byte)), capture);
}

void shelf_refuse(uint8_t byte, const char *capture, const char *message)
{
	assert_failure(keep(shelf_image(byte, shelf_id(byte)), capture, &failure), &failure, message);
}
