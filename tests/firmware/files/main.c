/* SPDX-License-Identifier: MIT */
/* Writes, reads, renames and removes files for some rounds under the profiler, and compares each with what was written.
 */
#include "board.h"
#include "files.h"

#include <bareprof/bareprof.h>

#ifndef ROUNDS
#define ROUNDS 600u
#endif
#define FILES      6u
#define FILE_BYTES (FILES_PART_MAX * 3u)

BAREPROF_DEFINE(64, BAREPROF_GRANULES(512, 8, 16), .board = BOARD_NAME, .clock_hz = BOARD_SAMPLING_CLOCK_HZ,
                .period = BOARD_SAMPLING_PERIOD, .counts_missed_ticks = BOARD_COUNTS_MISSED_TICKS);

static char names[FILES][FILES_NAME_MAX] = {"log", "settings", "calibration", "wifi", "boot", "crash"};
static uint8_t content[FILE_BYTES];
static uint32_t sizes[FILES];
static uint32_t seed = 1;

void work_interrupt(void)
{
	board_work_acknowledge();
}

static uint32_t random_below(uint32_t limit)
{
	seed = seed * 1664525u + 1013904223u;
	return (uint32_t)((uint64_t)seed * limit >> 32);
}

static uint8_t byte_of(uint32_t file, uint32_t place)
{
	return (uint8_t)(file * 37u + place * 11u + (place >> 5));
}

/* Instrumented, but never called unless something fails. */
static void complain(const char *name, enum files_status status)
{
	board_console_write(name);
	board_console_write(": ");
	board_console_write(files_explain(status));
	board_console_write("\n");
}

static bool grow(uint32_t file)
{
	const uint32_t more = 1u + random_below(FILE_BYTES - sizes[file]);

	for (uint32_t i = 0; i < more; i++)
		content[i] = byte_of(file, sizes[file] + i);
	const enum files_status status = files_append(names[file], content, more);
	if (status != FILES_OK)
		complain(names[file], status);
	sizes[file] += more;
	return status == FILES_OK;
}

static bool check(uint32_t file)
{
	uint32_t size = FILE_BYTES;
	const enum files_status status = files_read(names[file], content, &size);

	if (status != FILES_OK) {
		complain(names[file], status);
		return false;
	}
	for (uint32_t i = 0; i < size; i++)
		if (content[i] != byte_of(file, i))
			return false;
	return size == sizes[file];
}

static bool rename_once(uint32_t file)
{
	const enum files_status status = files_rename(names[file], "other");

	return status == FILES_OK && files_rename("other", names[file]) == FILES_OK;
}

static bool run_round(void)
{
	const uint32_t file = random_below(FILES);
	bool is_right = true;

	if (sizes[file] + FILES_PART_MAX > FILE_BYTES) {
		is_right = check(file) && rename_once(file) && files_remove(names[file]) == FILES_OK;
		sizes[file] = 0;
	}
	return grow(file) && check(file) && is_right;
}

int main(void)
{
	bool is_right;

	board_init();
	bareprof_init();
	board_sampling_start(BOARD_SAMPLING_PERIOD);

	bareprof_start();
	is_right = files_format(&ram_disk) == FILES_OK;
	for (uint32_t round = 0; round < ROUNDS; round++)
		is_right = run_round() && is_right;
	bareprof_stop();

	board_console_write(is_right && ram_disk_wear() > 1 ? "demo: done\n" : "demo: failed\n");
	board_idle();
}
