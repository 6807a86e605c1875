/* SPDX-License-Identifier: MIT */
/* Many functions, and names that no compiler generates: pairing is fast and independent of addresses. */
#include "../../firmware/elf_writer.h"
#include "pairs.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FUNCTION_SIZE 16
#define LONG_NAME     (1u << 20)

/* Writes an Arm ELF of count adjacent functions, named by name(). Functions with the same number have the same code. */
typedef const char *(*name_function)(size_t index, char text[64], unsigned *binding);

static void write_firmware(const char *file, size_t count, name_function name)
{
	char path[WORKSHOP_PATH_MAX];

	char(*texts)[64] = calloc(count, sizeof *texts);
	struct elf_writer_symbol *symbols = calloc(count, sizeof *symbols);
	uint8_t *code = calloc(count, FUNCTION_SIZE);
	assert_true(texts != NULL && symbols != NULL && code != NULL);
	for (size_t i = 0; i < count; i++) {
		unsigned binding = STB_GLOBAL;
		const char *own = name(i, texts[i], &binding);

		symbols[i] = (struct elf_writer_symbol){
		        own, 0x1000 + i * FUNCTION_SIZE, FUNCTION_SIZE, binding, STT_FUNC, 1};
		memcpy(code + i * FUNCTION_SIZE, &i, sizeof i);
	}
	const struct elf_writer_section section = {".text", SHT_PROGBITS,          SHF_ALLOC | SHF_EXECINSTR,
	                                           0x1000,  count * FUNCTION_SIZE, code};
	const struct elf_writer_plan plan = {
	        .class = ELFCLASS32,
	        .order = ELFDATA2LSB,
	        .machine = EM_ARM,
	        .sections = &section,
	        .section_count = 1,
	        .symbols = symbols,
	        .symbol_count = count,
	};
	workshop_path(path, file);
	elf_writer_write(path, &plan);
	free(code);
	free(symbols);
	free(texts);
}

/* Pairs two of them; more time than this would not be n log n. */
static void find_soon(void)
{
	struct timespec begin, end;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
	pairs_find();
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
	double seconds = (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) * 1e-9;
	print_message("%.3f s\n", seconds);
	assert_true(seconds < 10);
}

static const char *numbered(size_t index, char text[64], unsigned *binding)
{
	(void)binding;
	snprintf(text, 64, "function_%zu", index);
	return text;
}

static const char *numbered_backwards(size_t index, char text[64], unsigned *binding)
{
	return numbered(19999 - index, text, binding);
}

static const char *otherwise(size_t index, char text[64], unsigned *binding)
{
	(void)binding;
	snprintf(text, 64, "other_%zu", index);
	return text;
}

ALL_TESTS(workshop_open, workshop_close);
TEST(twenty_thousand_functions_pair_by_name)
{
	write_firmware("old.elf", 20000, numbered);
	write_firmware("new.elf", 20000, numbered_backwards);
	find_soon();
	assert_int_equal(pairs.pairing.count, 20000);
	assert_int_equal(pairs_count(PAIRED_BY_NAME), 20000);
	assert_string_equal(pairs.pairing.pairs[0].names[BUILD_OLD], "function_0");
}

TEST(twenty_thousand_renamed_functions_pair_by_code)
{
	write_firmware("old.elf", 20000, numbered);
	write_firmware("new.elf", 20000, otherwise);
	find_soon();
	assert_true(pairs_count(PAIRED_BY_CODE) > 10000);
}

/* Local functions, and clones of them. */
static const char *all_the_same(size_t index, char text[64], unsigned *binding)
{
	(void)text;
	*binding = index % 3 == 0 ? STB_GLOBAL : STB_LOCAL;
	return index % 2 == 0 ? "f" : "f.part.0";
}

TEST(twenty_thousand_functions_of_one_name_are_fast)
{
	write_firmware("old.elf", 20000, all_the_same);
	write_firmware("new.elf", 20000, all_the_same);
	find_soon();
	assert_string_equal(pairs.pairing.pairs[0].names[BUILD_OLD], "f");
	assert_int_equal(pairs_of(BUILD_OLD, "f")->how, PAIRED_BY_NAME);
}

static char long_names[3][LONG_NAME];

static const char *strange(size_t index, char text[64], unsigned *binding)
{
	static const char *const names[] = {"a",  ".cold", ".part.0", "a.cold.cold.cold.cold", ".", "a.constprop",
	                                    "\n", "a/b",   "\xFF\xFE"};

	(void)text;
	(void)binding;
	if (index < 3) {
		memset(long_names[index], "x.."[index], LONG_NAME - 1);
		return long_names[index];
	}
	return names[index % (sizeof names / sizeof *names)];
}

TEST(strange_names_are_handled)
{
	write_firmware("old.elf", 24, strange);
	write_firmware("new.elf", 24, strange);
	find_soon();
	assert_int_equal(pairs_of(BUILD_OLD, "a")->how, PAIRED_BY_NAME);
	assert_int_equal(pairs_of(BUILD_OLD, "\n")->how, PAIRED_BY_NAME);
}

TEST(builds_can_have_no_common_function)
{
	write_firmware("old.elf", 3, numbered);
	workshop_run("arm-none-eabi-gcc -mcpu=cortex-m3 -nostdlib -Wl,-e,start -O2 "
	             "tests/unit/diff/pairing/firmware/work.c -o $WORKSHOP/new.elf");
	find_soon();
	assert_int_equal(pairs_count(PAIRED_NOT), pairs.pairing.count);
}
