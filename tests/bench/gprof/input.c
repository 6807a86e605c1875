/* SPDX-License-Identifier: MIT */
/*
 * input FUNCTIONS ARCS cycle|tree FOLDER [later]: makes fw.elf and gmon.out in FOLDER: a firmware with that many
 * functions, all of them sampled, and that many different arcs between them. cycle: a call chain through all functions
 * that closes, and random calls, so that all are one cycle. tree: random calls to functions further back, and one in a
 * hundred to the front, so that there are many cycles, most of them small. later: the same after a change: each
 * function has moved, one in a hundred has another name, and one in fifty takes twice the time.
 */
#include "../../oracle/elf_file.h"
#include "../../oracle/random.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT = 0x8000, FUNCTION_SIZE = 32, NAME_SIZE = 40 };

struct build {
	size_t functions, arcs;
	bool is_cycle;
	bool is_later;
};

static uint64_t address_of(const struct build *build, uint64_t function)
{
	uint64_t place = build->is_later ? (function + build->functions / 3) % build->functions : function;

	return TEXT + place * FUNCTION_SIZE;
}

static void write_firmware(const struct build *build)
{
	size_t functions = build->functions;
	struct elf_symbol *symbols = calloc(functions + 1, sizeof *symbols);

	char(*names)[NAME_SIZE] = calloc(functions, sizeof *names);
	const struct elf_section text = {
	        .name = ".text", .address = TEXT, .size = functions * FUNCTION_SIZE, .is_code = true};
	struct bytes bytes = {0};
	if (symbols == NULL || names == NULL)
		err(1, "%zu functions", functions);
	for (size_t i = 0; i < functions; i++) {
		snprintf(names[i], NAME_SIZE,
		         build->is_later && i % 100 == 50 ? "renamed_function_%zu" : "module_function_%zu", i);
		symbols[i] = (struct elf_symbol){.name = names[i],
		                                 .address = address_of(build, i),
		                                 .size = FUNCTION_SIZE,
		                                 .binding = STB_GLOBAL,
		                                 .type = STT_FUNC};
	}
	symbols[functions] = (struct elf_symbol){
	        .name = "_etext", .address = TEXT + functions * FUNCTION_SIZE, .binding = STB_GLOBAL};
	elf_file_put(&bytes, MACHINE_ARM, &text, 1, symbols, functions + 1);
	bytes_write(&bytes, "fw.elf");
	bytes_free(&bytes);
	free(symbols);
	free(names);
}

/* Samples go where their functions go. */
static void put_histogram(struct bytes *gmon, const struct build *build, struct random *random)
{
	enum { BIN = 8, BINS = FUNCTION_SIZE / BIN };
	size_t bins = build->functions * BINS;
	uint16_t *counts = calloc(bins, sizeof *counts);

	if (counts == NULL)
		err(1, "%zu bins", bins);
	for (size_t i = 0; i < bins; i++) {
		uint64_t place = (address_of(build, i / BINS) - TEXT) / BIN + i % BINS;
		bool is_slower = build->is_later && i / BINS % 50 == 0;

		counts[place] = (uint16_t)(random_below(random, 50) << is_slower);
	}
	bytes_put(gmon, 0, 1);
	bytes_put_address(gmon, TEXT);
	bytes_put_address(gmon, TEXT + build->functions * FUNCTION_SIZE);
	bytes_put(gmon, bins, 4);
	bytes_put(gmon, 1000, 4);
	bytes_put_data(gmon, "seconds\0\0\0\0\0\0\0\0s", 16);
	for (size_t i = 0; i < bins; i++)
		bytes_put(gmon, counts[i], 2);
	free(counts);
}

static void put_arc(struct bytes *gmon, const struct build *build, uint64_t caller, uint64_t callee, uint64_t count)
{
	bytes_put(gmon, 1, 1);
	bytes_put_address(gmon, address_of(build, caller) + 4);
	bytes_put_address(gmon, address_of(build, callee));
	bytes_put(gmon, count, 4);
}

/* The n-th call of a function differs from its others by its distance. */
static uint64_t choose_callee(const struct build *build, uint64_t caller, uint64_t n, struct random *random)
{
	uint64_t stride = build->functions / 40 + 1;
	uint64_t distance = 1 + n * stride + random_below(random, stride);
	uint64_t last = build->functions - 1;

	if (build->is_cycle)
		return (caller + distance) % build->functions;
	if (random_chance(random, 1) && caller >= distance)
		return caller - distance;
	return caller + distance < last ? caller + distance : last;
}

static void write_profile(const struct build *build)
{
	size_t functions = build->functions;
	struct bytes gmon = {.address_size = 4};
	struct random random = random_create(functions, build->arcs);

	bytes_put_data(&gmon, "gmon", 4);
	bytes_put(&gmon, 1, 4);
	bytes_put_data(&gmon, NULL, 12);
	put_histogram(&gmon, build, &random);
	for (size_t i = 0; build->is_cycle && i < functions; i++)
		put_arc(&gmon, build, i, (i + 1) % functions, 1);
	for (size_t i = build->is_cycle ? functions : 0; i < build->arcs; i++) {
		uint64_t caller = i % functions, n = i / functions;
		uint64_t callee = choose_callee(build, caller, n, &random);

		put_arc(&gmon, build, caller, callee, 1 + random_magnitude(&random, 1000));
	}
	bytes_write(&gmon, "gmon.out");
	bytes_free(&gmon);
}

int main(int argc, char **argv)
{
	if (argc != 5 && argc != 6)
		errx(2, "usage: input FUNCTIONS ARCS cycle|tree FOLDER [later]");
	if (chdir(argv[4]) != 0)
		err(2, "%s", argv[4]);
	const struct build build = {
	        .functions = strtoul(argv[1], NULL, 10),
	        .arcs = strtoul(argv[2], NULL, 10),
	        .is_cycle = strcmp(argv[3], "cycle") == 0,
	        .is_later = argc == 6,
	};
	write_firmware(&build);
	write_profile(&build);
	return 0;
}
