/* SPDX-License-Identifier: MIT */
/* See setup.h. */
#include "setup.h"

#include "../options/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads a number that ends with `end`, and moves *text after it. */
static bool read_number(const char **text, char end, uint64_t *number)
{
	char *rest;

	*number = strtoull(*text, &rest, 0);
	if (rest == *text || *rest != end)
		return false;
	*text = end == '\0' ? rest : rest + 1;
	return true;
}

static bool read_region(struct setup *setup, enum region_kind kind, const char *value)
{
	if (setup->region_count == SETUP_REGIONS)
		return false;
	size_t at = setup->region_count++;

	setup->regions[at].kind = kind;
	if (kind != REGION_ELF && !read_number(&value, ',', &setup->regions[at].address))
		return false;
	setup->regions[at].path = value;
	return kind != REGION_RAM || read_number(&value, '\0', &setup->regions[at].size);
}

static bool read_ram(struct setup *setup, const char *value)
{
	return read_region(setup, REGION_RAM, value);
}

static bool read_file(struct setup *setup, const char *value)
{
	return read_region(setup, REGION_FILE, value);
}

static bool read_elf(struct setup *setup, const char *value)
{
	return read_region(setup, REGION_ELF, value);
}

static bool read_pcs(struct setup *setup, const char *value)
{
	uint64_t address, size;

	if (!read_number(&value, ',', &address) || !read_number(&value, '\0', &size) || size < 2)
		return false;
	setup->pcs_address = (uint32_t)address;
	setup->pcs_size = (uint32_t)size;
	return true;
}

static bool read_start(struct setup *setup, const char *value)
{
	static const char *const modes[] = {[MODE_JTAG] = "jtag", [MODE_SWD] = "swd", [MODE_DORMANT] = "dormant"};

	for (enum mode mode = MODE_JTAG; mode <= MODE_DORMANT; mode++)
		if (strcmp(value, modes[mode]) == 0) {
			setup->start = mode;
			return true;
		}
	return false;
}

static bool read_rom(struct setup *setup, const char *value)
{
	static const char *const names[] = {"usual", "nested", "cyclic", "endless", "full", "astray", "none"};

	for (enum rom rom = ROM_USUAL; rom <= ROM_NONE; rom++)
		if (strcmp(value, names[rom]) == 0) {
			setup->rom = rom;
			return true;
		}
	return false;
}

static bool read_qmp(struct setup *setup, const char *value)
{
	setup->qmp = value;
	return true;
}

static bool read_option(struct setup *setup, const char *option)
{
#define ROW(field, name, usual) {name, OPTION_NUMBER, &setup->field},
	const struct option_row numbers[] = {SETUP_NUMBERS(ROW)};
	static const struct {
		const char *name;
		bool (*read)(struct setup *setup, const char *value);
	} others[] = {
	        {"ram=", read_ram},     {"file=", read_file}, {"elf=", read_elf}, {"pcs=", read_pcs},
	        {"start=", read_start}, {"qmp=", read_qmp},   {"rom=", read_rom},
	};

	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
		if (strncmp(option, others[i].name, strlen(others[i].name)) == 0)
			return others[i].read(setup, option + strlen(others[i].name));
	return options_set(numbers, sizeof numbers / sizeof numbers[0], option);
}

bool setup_read(struct setup *setup, const char *const *options, size_t count)
{
#define DEFAULT(field, name, usual) .field = usual,
	*setup = (struct setup){SETUP_NUMBERS(DEFAULT).start = MODE_JTAG};
	for (size_t i = 0; i < count; i++)
		if (!read_option(setup, options[i])) {
			fprintf(stderr, "swd: the option %s is wrong, see tests/probe-model/swd.h\n", options[i]);
			return false;
		}
	return true;
}

bool setup_is_due(uint64_t every, uint64_t number)
{
	return every != 0 && number % every == 0;
}
