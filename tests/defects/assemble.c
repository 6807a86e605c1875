/* SPDX-License-Identifier: MIT */
/*
 * assemble <DESCRIPTION: writes fw.elf and gmon.out files as described, one statement per line. Numbers are as in C,
 * and # begins a comment. Stops with a message at the first wrong line.
 *
 *   machine NAME                            arm, arm-big-endian, riscv32, riscv64, x86-64
 *   section NAME ADDRESS SIZE               of code; "data" instead of "section": of data
 *   code ADDRESS BYTE...                    hexadecimal; the default is zeros
 *   symbol BINDING TYPE NAME ADDRESS        global, local or weak; function, label; in the section that contains the
 * address gmon NAME                               begins this file histogram LOW HIGH BINS HERTZ           followed by
 * its lines `bin` bin NUMBER COUNT arc FROM SELF COUNT blocks ADDRESS COUNT                    a record of one basic
 * block
 */
#include "../oracle/elf_file.h"

#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SECTIONS_MAX = 8, SYMBOLS_MAX = 64, WORDS_MAX = 64, LINE_SIZE = 1024 };

struct assembly {
	enum machine machine;
	struct elf_section sections[SECTIONS_MAX];
	size_t section_count;
	struct elf_symbol symbols[SYMBOLS_MAX];
	size_t symbol_count;
	struct bytes gmon;
	char *gmon_name;
	size_t first_bin; /* where the bins of the last histogram are in the file */
};

/* One line, as words; words[0] names the statement. */
struct line {
	const char *words[WORDS_MAX];
	size_t count;
};

static uint64_t number(const struct line *line, size_t word)
{
	char *end = "";
	uint64_t number = word < line->count ? strtoull(line->words[word], &end, 0) : 0;

	if (word >= line->count || *end != '\0')
		errx(1, "%s: operand %zu is not a number", line->words[0], word);
	return number;
}

/* A copy of a word, never freed: the program is short. */
static char *name(const struct line *line, size_t word)
{
	if (word >= line->count)
		errx(1, "%s: operand %zu is missing", line->words[0], word);
	return strdup(line->words[word]);
}

static bool is_word(const struct line *line, size_t word, const char *text)
{
	return word < line->count && strcmp(line->words[word], text) == 0;
}

static void set_machine(struct assembly *assembly, const struct line *line)
{
	unsigned machine = 0;

	while (machine < MACHINE_COUNT && !is_word(line, 1, machines[machine].name))
		machine++;
	if (machine == MACHINE_COUNT)
		errx(1, "unknown machine");
	assembly->machine = (enum machine)machine;
	assembly->gmon.is_big_endian = machines[machine].is_big_endian;
	assembly->gmon.address_size = machines[machine].address_size;
}

static void add_section(struct assembly *assembly, const struct line *line)
{
	if (assembly->section_count == SECTIONS_MAX)
		errx(1, "too many sections");
	assembly->sections[assembly->section_count++] = (struct elf_section){
	        .name = name(line, 1),
	        .address = number(line, 2),
	        .size = number(line, 3),
	        .is_code = is_word(line, 0, "section"),
	        .code = calloc(1, number(line, 3)),
	};
}

/* The section that contains address, otherwise the last one that ends there. */
static size_t section_at(const struct assembly *assembly, uint64_t address)
{
	size_t found = assembly->section_count;

	for (size_t i = 0; i < assembly->section_count; i++) {
		uint64_t offset = address - assembly->sections[i].address;

		if (offset < assembly->sections[i].size)
			return i;
		if (offset == assembly->sections[i].size)
			found = i;
	}
	if (found == assembly->section_count)
		errx(1, "no section contains %#" PRIx64, address);
	return found;
}

static void set_code(struct assembly *assembly, const struct line *line)
{
	const struct elf_section *section = &assembly->sections[section_at(assembly, number(line, 1))];
	uint64_t offset = number(line, 1) - section->address;

	for (size_t i = 2; i < line->count; i++, offset++) {
		if (offset >= section->size)
			errx(1, "code beyond the end of %s", section->name);
		((uint8_t *)section->code)[offset] = (uint8_t)strtoul(line->words[i], NULL, 16);
	}
}

static void add_symbol(struct assembly *assembly, const struct line *line)
{
	if (assembly->symbol_count == SYMBOLS_MAX)
		errx(1, "too many symbols");
	assembly->symbols[assembly->symbol_count++] = (struct elf_symbol){
	        .binding = is_word(line, 1, "local")  ? STB_LOCAL
	                   : is_word(line, 1, "weak") ? STB_WEAK
	                                              : STB_GLOBAL,
	        .type = is_word(line, 2, "function") ? STT_FUNC : STT_NOTYPE,
	        .name = name(line, 3),
	        .address = number(line, 4),
	        .section = (uint16_t)section_at(assembly, number(line, 4)),
	};
}

static void finish_gmon(struct assembly *assembly)
{
	if (assembly->gmon_name != NULL)
		bytes_write(&assembly->gmon, assembly->gmon_name);
	assembly->gmon.size = 0;
}

static void begin_gmon(struct assembly *assembly, const struct line *line)
{
	finish_gmon(assembly);
	assembly->gmon_name = name(line, 1);
	bytes_put_data(&assembly->gmon, "gmon", 4);
	bytes_put(&assembly->gmon, 1, 4);
	bytes_put_data(&assembly->gmon, NULL, 12);
}

static void add_histogram(struct assembly *assembly, const struct line *line)
{
	struct bytes *gmon = &assembly->gmon;

	bytes_put(gmon, 0, 1);
	bytes_put_address(gmon, number(line, 1));
	bytes_put_address(gmon, number(line, 2));
	bytes_put(gmon, number(line, 3), 4);
	bytes_put(gmon, number(line, 4), 4);
	bytes_put_data(gmon, "seconds\0\0\0\0\0\0\0\0s", 16);
	assembly->first_bin = gmon->size;
	bytes_put_data(gmon, NULL, 2 * number(line, 3));
}

static void set_bin(struct assembly *assembly, const struct line *line)
{
	size_t place = assembly->first_bin + 2 * number(line, 1);

	if (place + 2 > assembly->gmon.size)
		errx(1, "the histogram has no bin %s", line->words[1]);
	bytes_set(&assembly->gmon, place, number(line, 2), 2);
}

static void add_arc(struct assembly *assembly, const struct line *line)
{
	bytes_put(&assembly->gmon, 1, 1);
	bytes_put_address(&assembly->gmon, number(line, 1));
	bytes_put_address(&assembly->gmon, number(line, 2));
	bytes_put(&assembly->gmon, number(line, 3), 4);
}

static void add_blocks(struct assembly *assembly, const struct line *line)
{
	bytes_put(&assembly->gmon, 2, 1);
	bytes_put(&assembly->gmon, 1, 4);
	bytes_put_address(&assembly->gmon, number(line, 1));
	bytes_put_address(&assembly->gmon, number(line, 2));
}

static const struct {
	const char *name;
	void (*take)(struct assembly *assembly, const struct line *line);
} statements[] = {
        {"machine", set_machine}, {"section", add_section},     {"data", add_section}, {"code", set_code},
        {"symbol", add_symbol},   {"gmon", begin_gmon},         {"bin", set_bin},      {"arc", add_arc},
        {"blocks", add_blocks},   {"histogram", add_histogram},
};

static struct line split(char *text)
{
	struct line line = {0};

	text[strcspn(text, "#\n")] = '\0';
	for (char *word = strtok(text, " \t"); word != NULL && line.count < WORDS_MAX; word = strtok(NULL, " \t"))
		line.words[line.count++] = word;
	return line;
}

static void take_line(struct assembly *assembly, const struct line *line)
{
	for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
		if (is_word(line, 0, statements[i].name)) {
			statements[i].take(assembly, line);
			return;
		}
	}
	errx(1, "%s: unknown statement", line->words[0]);
}

int main(void)
{
	static struct assembly assembly;
	struct bytes elf = {0};
	char text[LINE_SIZE];

	while (fgets(text, sizeof text, stdin) != NULL) {
		struct line line = split(text);

		if (line.count > 0)
			take_line(&assembly, &line);
	}
	finish_gmon(&assembly);
	elf_file_put(&elf, assembly.machine, assembly.sections, assembly.section_count, assembly.symbols,
	             assembly.symbol_count);
	bytes_write(&elf, "fw.elf");
	return 0;
}
