/* SPDX-License-Identifier: MIT */
/* See setup.h. */
#include "setup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NO_PORT UINT64_MAX

static const struct {
	const char *name;
	uint64_t usual;
} numbers[NUMBERS] = {
        [NUMBER_DPIDR] = {"dpidr", 0x2ba01477},
        [NUMBER_RP2040] = {"rp2040", 0},
        [NUMBER_AP] = {"ap", 0},
        [NUMBER_AP2] = {"ap2", NO_PORT},
        [NUMBER_WRAP] = {"wrap", 1024},
        [NUMBER_PROT] = {"prot", 0x7f000000},
        [NUMBER_SIZES] = {"sizes", 7},
        [NUMBER_PACKED] = {"packed", 1},
        [NUMBER_BUSY] = {"busy", 0},
        [NUMBER_POWER_UP] = {"power-up", 32},
        [NUMBER_ASLEEP] = {"asleep", 0},
        [NUMBER_DEAF] = {"deaf", 0},
        [NUMBER_CACHE] = {"cache", 0},
        [NUMBER_WAIT] = {"wait", 0},
        [NUMBER_WAIT_FOR_EVER] = {"wait-for-ever", 0},
        [NUMBER_FAULT] = {"fault", 0},
        [NUMBER_PARITY] = {"parity", 0},
        [NUMBER_SILENT] = {"silent", 0},
        [NUMBER_RESET] = {"reset", 0},
        [NUMBER_ZEROS] = {"zeros", 0},
        [NUMBER_UNPLUG] = {"unplug", 0},
};

static const char *const modes[] = {[MODE_JTAG] = "jtag", [MODE_SWD] = "swd", [MODE_DORMANT] = "dormant"};
static const char *const stretches[] = {[STRETCH_RAM] = "ram", [STRETCH_FILE] = "file", [STRETCH_ELF] = "elf"};

/* What follows the name and '=' in an option, NULL if that is not its name. */
static const char *value_of(const char *option, const char *name)
{
	size_t length = strlen(name);

	return strncmp(option, name, length) == 0 && option[length] == '=' ? option + length + 1 : NULL;
}

/* A number that ends with `end`; *text moves behind that. */
static bool take_number(const char **text, char end, uint64_t *number)
{
	char *rest;

	*number = strtoull(*text, &rest, 0);
	if (rest == *text || *rest != end)
		return false;
	*text = end == '\0' ? rest : rest + 1;
	return true;
}

static bool take_stretch(struct setup *setup, enum stretch_kind kind, const char *value)
{
	if (setup->stretch_count == SETUP_STRETCHES)
		return false;
	size_t at = setup->stretch_count++;

	setup->stretches[at].kind = kind;
	if (kind != STRETCH_ELF && !take_number(&value, ',', &setup->stretches[at].address))
		return false;
	setup->stretches[at].path = value;
	return kind != STRETCH_RAM || take_number(&value, '\0', &setup->stretches[at].size);
}

static bool take_pcs(struct setup *setup, const char *value)
{
	uint64_t address, size;

	if (!take_number(&value, ',', &address) || !take_number(&value, '\0', &size) || size < 2)
		return false;
	setup->pcs_address = (uint32_t)address;
	setup->pcs_size = (uint32_t)size;
	return true;
}

static bool take_start(struct setup *setup, const char *value)
{
	for (enum mode mode = MODE_JTAG; mode <= MODE_DORMANT; mode++)
		if (strcmp(value, modes[mode]) == 0) {
			setup->start = mode;
			return true;
		}
	return false;
}

static bool take(struct setup *setup, const char *option)
{
	const char *value;

	for (size_t i = 0; i < NUMBERS; i++)
		if ((value = value_of(option, numbers[i].name)) != NULL)
			return take_number(&value, '\0', &setup->numbers[i]);
	for (enum stretch_kind kind = STRETCH_RAM; kind <= STRETCH_ELF; kind++)
		if ((value = value_of(option, stretches[kind])) != NULL)
			return take_stretch(setup, kind, value);
	if ((value = value_of(option, "start")) != NULL)
		return take_start(setup, value);
	if ((value = value_of(option, "pcs")) != NULL)
		return take_pcs(setup, value);
	setup->qmp = value_of(option, "qmp");
	return setup->qmp != NULL;
}

bool setup_read(struct setup *setup, const char *const *options, size_t count)
{
	*setup = (struct setup){.start = MODE_JTAG};
	for (size_t i = 0; i < NUMBERS; i++)
		setup->numbers[i] = numbers[i].usual;
	for (size_t i = 0; i < count; i++)
		if (!take(setup, options[i])) {
			fprintf(stderr, "swd: the option %s is wrong, see tests/probe-model/swd.h\n", options[i]);
			return false;
		}
	return true;
}

bool setup_strikes(const struct setup *setup, enum number fault, uint64_t at)
{
	return setup->numbers[fault] != 0 && at % setup->numbers[fault] == 0;
}
