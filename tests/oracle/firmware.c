/* SPDX-License-Identifier: MIT */
/* See firmware.h. */
#include "firmware.h"

#include "names.h"

#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define CODE_END "__code_end"

/* --- Sections. */

static struct elf_section *add_section(struct firmware *firmware, const char *name, uint64_t address)
{
	struct elf_section *section = &firmware->sections[firmware->section_count++];

	*section = (struct elf_section){.name = name, .address = address, .is_code = true};
	return section;
}

static uint64_t place_text(struct random *random, enum machine machine)
{
	static const uint64_t places[] = {0, 0x100, 0x8000, 0x08000000, 0x08000102, 0x20400000, 0x7FFF0000, 0x80000000};

	if (machines[machine].address_size == 8 && random_chance(random, 30))
		return random_chance(random, 50) ? UINT64_C(0x123456780000) : UINT64_C(0xFFFFFFC000000000);
	return places[random_below(random, sizeof places / sizeof *places)];
}

/* --- Symbols. */

static void add_symbol(struct firmware *firmware, const struct elf_symbol *symbol, const char *name, bool is_ignored)
{
	size_t index = firmware->symbol_count++;

	snprintf(firmware->names[index], NAME_SIZE, "%s", name);
	firmware->symbols[index] = *symbol;
	firmware->symbols[index].name = firmware->names[index];
	firmware->is_ignored[index] = is_ignored;
}

static bool is_full(const struct firmware *firmware)
{
	return firmware->symbol_count + 16 > SYMBOLS_MAX;
}

/* GNU gprof also judges a local name with a dot by the next name in the ELF, so the next one is plain. */
static void add_plain_name(struct firmware *firmware)
{
	const struct elf_symbol symbol = {.section = ELF_ABSOLUTE};

	add_symbol(firmware, &symbol, "plain", true);
}

/* Adds a symbol of code, of any binding and type. */
static void add_code_symbol(struct firmware *firmware, struct random *random, uint64_t address, uint64_t size,
                            bool is_function)
{
	struct elf_symbol symbol = {
	        .address = address,
	        .size = random_chance(random, 90) ? size : 0,
	        .section = (uint16_t)(firmware->section_count - 1),
	        .type = is_function ? STT_FUNC : STT_NOTYPE,
	};
	char name[NAME_SIZE] = "";

	/* Data may hide functions, but not the first one, because the tools refuse an ELF without functions. */
	if (!is_function && address > firmware->low && random_chance(random, 10))
		symbol.type = STT_OBJECT;
	if (random_chance(random, 35)) {
		symbol.binding = STB_LOCAL;
		name_local(random, name, sizeof name);
	} else {
		/* nm gives weak objects the class V, which GNU gprof does not accept. */
		symbol.binding = symbol.type != STT_OBJECT && random_chance(random, 15) ? STB_WEAK : STB_GLOBAL;
		name_function(random, name, sizeof name);
	}
	add_symbol(firmware, &symbol, name, false);
	if (symbol.binding == STB_LOCAL && strchr(name, '.') != NULL)
		add_plain_name(firmware);
}

/* Adds a mapping symbol (start of Thumb code or of data) or a label of a compiler. */
static void add_ignored_symbol(struct firmware *firmware, struct random *random, uint64_t address)
{
	struct elf_symbol symbol = {.address = address, .section = (uint16_t)(firmware->section_count - 1)};
	char name[NAME_SIZE];

	name_ignored(random, name, sizeof name);
	add_symbol(firmware, &symbol, name, true);
}

static void add_function(struct firmware *firmware, struct random *random, uint64_t address, uint64_t size,
                         bool has_functions)
{
	bool is_function = has_functions && random_chance(random, 92);

	if (random_chance(random, 20))
		add_ignored_symbol(firmware, random, address);
	do
		add_code_symbol(firmware, random, address, size, is_function);
	while (random_chance(random, 8) && !is_full(firmware));
	if (size > 4 && random_chance(random, 5))
		add_code_symbol(firmware, random, address + 2 * random_below(random, size / 2), 0, false);
	if (size > 4 && random_chance(random, 10))
		add_ignored_symbol(firmware, random, address + 2 * random_below(random, size / 2));
}

static void add_global(struct firmware *firmware, uint64_t address, unsigned char type, const char *name)
{
	const struct elf_symbol symbol = {
	        .address = address,
	        .section = (uint16_t)(firmware->section_count - 1),
	        .binding = STB_GLOBAL,
	        .type = type,
	};

	add_symbol(firmware, &symbol, name, false);
}

/* Fills a section with functions, with padding and code without a name in between. */
static void fill_section(struct firmware *firmware, struct random *random, size_t function_count, bool has_functions)
{
	struct elf_section *section = &firmware->sections[firmware->section_count - 1];
	uint64_t largest = 2 * random_between(random, 1, function_count < 2000 && random_chance(random, 50) ? 200 : 20);
	uint64_t address = section->address + (random_chance(random, 20) ? 2 * random_below(random, 40) : 0);

	for (size_t i = 0; i < function_count && !is_full(firmware); i++) {
		uint64_t size = 2 * random_between(random, 1, largest / 2);

		add_function(firmware, random, address, size, has_functions);
		address += size + (random_chance(random, 10) ? 2 * random_below(random, 20) : 0);
	}
	section->size = address - section->address;
}

/* Adds symbols outside code: data, an absolute number, the name of a file, an undefined symbol. */
static void add_other_symbols(struct firmware *firmware, struct random *random)
{
	uint16_t data = (uint16_t)firmware->section_count;
	const struct elf_symbol others[] = {
	        {.type = STT_FILE, .section = ELF_ABSOLUTE},
	        {.type = STT_OBJECT, .binding = STB_GLOBAL, .section = data, .address = 0x90000010, .size = 4},
	        {.type = STT_NOTYPE, .binding = STB_GLOBAL, .section = ELF_ABSOLUTE, .address = 0x1000},
	        {.type = STT_NOTYPE, .binding = STB_WEAK, .section = ELF_UNDEFINED},
	        {.type = STT_SECTION, .section = 0, .address = firmware->sections[0].address},
	};
	static const char *const names[] = {"main.c", "table", "__stack_size", "optional_hook", ""};

	firmware->sections[firmware->section_count++] =
	        (struct elf_section){.name = ".data", .address = 0x90000000, .size = 64};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (random_chance(random, 50))
			add_symbol(firmware, &others[i], names[i], true);
}

/* A few, many, or enough for index numbers of five digits. */
static size_t choose_count(struct random *random)
{
	if (random_below(random, 200) == 0)
		return random_between(random, 8000, 11000);
	return random_chance(random, 5) ? random_between(random, 100, 1500) : random_between(random, 1, 40);
}

/* The first symbol is global, so that no option removes it: GNU gprof loses calls from code before it. It also loses
 * time and calls of the last symbol, so that one is the end of the code, as in linker scripts, where nothing runs. */
void firmware_generate(struct firmware *firmware, struct random *random)
{
	memset(firmware, 0, sizeof *firmware);
	firmware->machine = (enum machine)random_below(random, MACHINE_COUNT);
	bool has_functions = !random_chance(random, 4);
	size_t count = choose_count(random);
	uint64_t text = place_text(random, firmware->machine);
	firmware->low = text;
	add_section(firmware, ".text", text);
	add_global(firmware, text, has_functions ? STT_FUNC : STT_NOTYPE, "_start");
	fill_section(firmware, random, count, has_functions);
	uint64_t end = text + firmware->sections[0].size;
	for (unsigned i = 0; i < 2 && random_chance(random, 20); i++) {
		add_global(firmware, end, STT_NOTYPE, "_etext");
		uint64_t address = end + (random_chance(random, 30) ? 0 : 2 * random_below(random, 2000));
		add_section(firmware, i == 0 ? ".fast_code" : ".ram_code", address);
		fill_section(firmware, random, random_between(random, 1, 10), has_functions);
		end = address + firmware->sections[firmware->section_count - 1].size;
	}
	add_global(firmware, end, STT_NOTYPE, CODE_END);
	firmware->high = end;
	if (random_chance(random, 50))
		add_other_symbols(firmware, random);
}

const char *firmware_choose_name(const struct firmware *firmware, struct random *random)
{
	for (unsigned tries = 0; tries < 20; tries++) {
		size_t chosen = random_below(random, firmware->symbol_count);

		if (!firmware->is_ignored[chosen] && strcmp(firmware->names[chosen], CODE_END) != 0)
			return firmware->names[chosen];
	}
	return firmware->names[0];
}

void firmware_write(const struct firmware *firmware, const char *path)
{
	struct bytes bytes = {0};

	elf_file_put(&bytes, firmware->machine, firmware->sections, firmware->section_count, firmware->symbols,
	             firmware->symbol_count);
	bytes_write(&bytes, path);
	bytes_free(&bytes);
}

void firmware_write_symbols(const struct firmware *firmware, const char *path)
{
	FILE *file = fopen(path, "w");

	if (file == NULL)
		err(1, "%s", path);
	for (size_t i = 0; i < firmware->symbol_count; i++)
		if (!firmware->is_ignored[i])
			fprintf(file, "%08" PRIx64 " %c %s\n", firmware->symbols[i].address,
			        firmware->symbols[i].binding == STB_LOCAL ? 't' : 'T', firmware->symbols[i].name);
	if (fclose(file) != 0)
		err(1, "%s", path);
}
