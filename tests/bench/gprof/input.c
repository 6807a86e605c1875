/* SPDX-License-Identifier: MIT */
/*
 * input FUNCTIONS ARCS cycle|tree FOLDER: makes fw.elf and gmon.out in FOLDER: a firmware of so many functions, all of
 * them sampled, and so many different arcs between them. cycle: a call chain through all functions that closes, and
 * random calls, so that all are one cycle. tree: random calls to functions further back, and one in a hundred to the
 * front, so that there are many cycles, most of them small.
 */
#include "../../oracle/elf_file.h"
#include "../../oracle/random.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT = 0x8000, FUNCTION_SIZE = 32, NAME_SIZE = 40 };

static uint64_t address_of(uint64_t function)
{
	return TEXT + function * FUNCTION_SIZE;
}

static void write_firmware(size_t functions)
{
	struct elf_symbol *symbols = calloc(functions + 1, sizeof *symbols);
	char(*names)[NAME_SIZE] = calloc(functions, sizeof *names);
	const struct elf_section text = {
	        .name = ".text", .address = TEXT, .size = functions * FUNCTION_SIZE, .is_code = true};
	struct bytes bytes = {0};
	if (symbols == NULL || names == NULL)
		err(1, "%zu functions", functions);
	for (size_t i = 0; i < functions; i++) {
		snprintf(names[i], NAME_SIZE, "module_function_%zu", i);
		symbols[i] = (struct elf_symbol){.name = names[i],
		                                 .address = address_of(i),
		                                 .size = FUNCTION_SIZE,
		                                 .binding = STB_GLOBAL,
		                                 .type = STT_FUNC};
	}
	symbols[functions] =
	        (struct elf_symbol){.name = "_etext", .address = address_of(functions), .binding = STB_GLOBAL};
	elf_file_put(&bytes, MACHINE_ARM, &text, 1, symbols, functions + 1);
	bytes_write(&bytes, "fw.elf");
	bytes_free(&bytes);
	free(symbols);
	free(names);
}

static void put_histogram(struct bytes *gmon, size_t functions, struct random *random)
{
	enum { BIN = 8 };
	size_t bins = functions * FUNCTION_SIZE / BIN;
	bytes_put(gmon, 0, 1);
	bytes_put_address(gmon, TEXT);
	bytes_put_address(gmon, address_of(functions));
	bytes_put(gmon, bins, 4);
	bytes_put(gmon, 1000, 4);
	bytes_put_data(gmon, "seconds\0\0\0\0\0\0\0\0s", 16);
	for (size_t i = 0; i < bins; i++)
		bytes_put(gmon, random_below(random, 50), 2);
}

static void put_arc(struct bytes *gmon, uint64_t caller, uint64_t callee, uint64_t count)
{
	bytes_put(gmon, 1, 1);
	bytes_put_address(gmon, address_of(caller) + 4);
	bytes_put_address(gmon, address_of(callee));
	bytes_put(gmon, count, 4);
}

/* The n-th call of a function differs from its others by its distance. */
static uint64_t choose_callee(uint64_t caller, uint64_t n, size_t functions, bool is_cycle, struct random *random)
{
	uint64_t stride = functions / 40 + 1;
	uint64_t distance = 1 + n * stride + random_below(random, stride);
	uint64_t last = functions - 1;
	if (is_cycle)
		return (caller + distance) % functions;
	if (random_chance(random, 1) && caller >= distance)
		return caller - distance;
	return caller + distance < last ? caller + distance : last;
}

static void write_profile(size_t functions, size_t arcs, bool is_cycle)
{
	struct bytes gmon = {.address_size = 4};
	struct random random = random_create(functions, arcs);
	bytes_put_data(&gmon, "gmon", 4);
	bytes_put(&gmon, 1, 4);
	bytes_put_data(&gmon, NULL, 12);
	put_histogram(&gmon, functions, &random);
	for (size_t i = 0; is_cycle && i < functions; i++)
		put_arc(&gmon, i, (i + 1) % functions, 1);
	for (size_t i = is_cycle ? functions : 0; i < arcs; i++) {
		uint64_t caller = i % functions, n = i / functions;
		uint64_t callee = choose_callee(caller, n, functions, is_cycle, &random);
		put_arc(&gmon, caller, callee, 1 + random_magnitude(&random, 1000));
	}
	bytes_write(&gmon, "gmon.out");
	bytes_free(&gmon);
}

int main(int argc, char **argv)
{
	if (argc != 5)
		errx(2, "usage: input FUNCTIONS ARCS cycle|tree FOLDER");
	if (chdir(argv[4]) != 0)
		err(2, "%s", argv[4]);
	size_t functions = strtoul(argv[1], NULL, 10), arcs = strtoul(argv[2], NULL, 10);
	write_firmware(functions);
	write_profile(functions, arcs, strcmp(argv[3], "cycle") == 0);
	return 0;
}
