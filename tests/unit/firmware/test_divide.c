/* SPDX-License-Identifier: MIT */
/* Dividing the code by symbols and lines, as GNU gprof does. Divisions of real firmware are compared with nm. */
#include "elf_writer.h"
#include "test.h"
#include "workshop.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define CODE_FLAGS   (SHF_ALLOC | SHF_EXECINSTR)

static const struct elf_writer_section sections[] = {
        {".text", SHT_PROGBITS, CODE_FLAGS, 0x1000, 0x100, NULL},
        {".ramcode", SHT_PROGBITS, CODE_FLAGS, 0x20000000, 0x40, NULL},
        {".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 0x20001000, 0x40, NULL},
        {".none", SHT_PROGBITS, CODE_FLAGS, 0x20002000, 0, NULL},
};

static struct image *image_of(const struct elf_writer_symbol *symbols, size_t count)
{
	return elf_writer_image(
	        &(struct elf_writer_plan){ELF_SECTIONS(sections), .symbols = symbols, .symbol_count = count});
}

static void divide(struct image *image, const struct image_division *division)
{
	assert_success(image_divide(image, division, &failure), &failure);
	assert_int_equal(image->rule, division->rule);
}

static void refuse(struct image *image, const struct image_division *division, const char *words)
{
	const struct image_function *functions = image->functions;
	size_t count = image->function_count;

	assert_failure(image_divide(image, division, &failure), &failure, words);
	assert_ptr_equal(image->functions, functions);
	assert_int_equal(image->function_count, count);
}

static const struct image_division by_symbol = {.rule = IMAGE_BY_SYMBOL};

/* Fails unless the division has exactly these names, in ascending order of address. */
static void expect_names(const struct image *image, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count && i < image->function_count; i++)
		assert_string_equal(image->functions[i].name, names[i]);
	assert_int_equal(image->function_count, count);
}

#define EXPECT_NAMES(image, ...)                                            \
	do {                                                                \
		static const char *const expected_names[] = {__VA_ARGS__};  \
		expect_names(image, expected_names, COUNT(expected_names)); \
	} while (0)

#define SYMBOLS_MAX  10
#define EXPECTED_MAX 3

/* Each list ends before the first item without a name. */
static const struct {
	const char *title;
	struct elf_writer_symbol symbols[SYMBOLS_MAX];
	struct {
		const char *name;
		uint64_t start, end;
		bool is_label;
	} expected[EXPECTED_MAX];
} divisions[] = {
        {"symbols extend to the next one, in any section",
         {{"first", 0x1011, 4, STB_GLOBAL, STT_FUNC, 1},
          {"second", 0x1021, 4, STB_GLOBAL, STT_FUNC, 1},
          {"in_ram", 0x20000009, 4, STB_GLOBAL, STT_FUNC, 2}},
         {{"first", 0x1010, 0x1020, false},
          {"second", 0x1020, 0x20000008, false},
          {"in_ram", 0x20000008, 0x20000040, false}}},
        /* As in GNU gprof, which decides by the flags of a section whether it is code. */
        {"symbols of an empty section count",
         {{"first", 0x1011, 4, STB_GLOBAL, STT_FUNC, 1},
          {"_etext", 0x1100, 0, STB_GLOBAL, STT_NOTYPE, 1},
          {"none_start", 0x20002000, 0, STB_GLOBAL, STT_NOTYPE, 4}},
         {{"first", 0x1010, 0x1100, false},
          {"_etext", 0x1100, 0x20002000, true},
          {"none_start", 0x20002000, 0x20002001, true}}},
        {"a label after the code has its row",
         {{"f", 0x1001, 2, STB_GLOBAL, STT_FUNC, 1}, {"_etext", 0x1100, 0, STB_GLOBAL, STT_NOTYPE, 1}},
         {{"f", 0x1000, 0x1100, false}, {"_etext", 0x1100, 0x1101, true}}},
        {"labels of the toolchain do not count",
         {{"f", 0x1001, 2, STB_GLOBAL, STT_FUNC, 1},
          {"$t", 0x1004, 0, STB_LOCAL, STT_NOTYPE, 1},
          {"$d.realdata", 0x1008, 0, STB_LOCAL, STT_NOTYPE, 1},
          {".L12", 0x100C, 0, STB_LOCAL, STT_NOTYPE, 1},
          {"", 0x1010, 0, STB_GLOBAL, STT_FUNC, 1},
          {"a.c", 0x1014, 0, STB_LOCAL, STT_NOTYPE, 1},
          {"a$b", 0x1018, 0, STB_LOCAL, STT_NOTYPE, 1},
          {"file.c", 0x101C, 0, STB_LOCAL, STT_FILE, 1},
          {"loop", 0x1020, 0, STB_LOCAL, STT_NOTYPE, 1},
          {"loop.12", 0x1024, 0, STB_LOCAL, STT_NOTYPE, 1}},
         {{"f", 0x1000, 0x1020, false}, {"loop", 0x1020, 0x1024, true}, {"loop.12", 0x1024, 0x1100, true}}},
        {"data among code counts unless it is weak",
         {{"table", 0x1010, 2, STB_GLOBAL, STT_OBJECT, 1},
          {"weak", 0x1020, 2, STB_WEAK, STT_OBJECT, 1},
          {"variable", 0x20001000, 2, STB_GLOBAL, STT_OBJECT, 3},
          {"f", 0x1031, 2, STB_GLOBAL, STT_FUNC, 1}},
         {{"table", 0x1010, 0x1030, true}, {"f", 0x1030, 0x1100, false}}},
};

TEST(code_symbols_divide_the_code)
{
	for (size_t i = 0; i < COUNT(divisions); i++) {
		size_t count = 0;

		while (count < SYMBOLS_MAX && divisions[i].symbols[count].name != NULL)
			count++;
		struct image *image = image_of(divisions[i].symbols, count);
		print_message("%s\n", divisions[i].title);
		divide(image, &by_symbol);
		for (size_t j = 0; j < EXPECTED_MAX && divisions[i].expected[j].name != NULL; j++) {
			const struct image_function *function = &image->functions[j];

			assert_true(j < image->function_count);
			assert_string_equal(function->name, divisions[i].expected[j].name);
			assert_int_equal(function->start, divisions[i].expected[j].start);
			assert_int_equal(function->end, divisions[i].expected[j].end);
			assert_int_equal(function->is_label, divisions[i].expected[j].is_label);
			assert_false(function->sized);
		}
		assert_true(image->function_count == EXPECTED_MAX ||
		            divisions[i].expected[image->function_count].name == NULL);
	}
}

TEST(division_by_size_can_be_restored)
{
	const struct elf_writer_symbol symbols[] = {
	        {"first", 0x1011, 4, STB_GLOBAL, STT_FUNC, 1},
	        {"second", 0x1021, 4, STB_LOCAL, STT_FUNC, 1},
	};
	struct image *image = image_of(symbols, COUNT(symbols));

	divide(image, &by_symbol);
	divide(image, &(struct image_division){.rule = IMAGE_BY_SIZE});
	workshop_expect(image, "first", 0x1010, 0x1014);
	workshop_expect(image, "second", 0x1020, 0x1024);
	assert_false(workshop_function(image, "first")->is_local);
	assert_true(workshop_function(image, "second")->is_local);
}

/* GNU gprof adds the time of local clones to the function before them. */
TEST(local_clones_and_rust_functions_are_included)
{
	static const char *const names[] = {"f.isra.0",     "f.part.0",
	                                    "f.cold",       "f.constprop.0",
	                                    "f.lto_priv.0", "_ZN4core3fmt9write$u7b$$u7b$closure17h0E",
	                                    "nested.1234",  "f.part.0.constprop.1"};
	struct elf_writer_symbol symbols[COUNT(names)];

	for (size_t i = 0; i < COUNT(names); i++)
		symbols[i] = (struct elf_writer_symbol){names[i], 0x1001 + 8 * i, 2, STB_LOCAL, STT_FUNC, 1};
	struct image *image = image_of(symbols, COUNT(symbols));
	divide(image, &by_symbol);
	expect_names(image, names, COUNT(names));
}

/* The name that GNU gprof 2.40 chooses from each pair: the same in either order if always is set, else the first. */
TEST(one_of_several_names_is_chosen)
{
	static const struct {
		struct elf_writer_symbol wins, loses;
		bool always;
	} pairs[] = {
	        {{"g", 0, 0, STB_GLOBAL, STT_FUNC, 1}, {"l", 0, 0, STB_LOCAL, STT_FUNC, 1}, true},
	        {{"g", 0, 0, STB_GLOBAL, STT_NOTYPE, 1}, {"l", 0, 0, STB_LOCAL, STT_FUNC, 1}, true},
	        {{"__g", 0, 0, STB_GLOBAL, STT_NOTYPE, 1}, {"l", 0, 0, STB_LOCAL, STT_FUNC, 1}, true},
	        {{"__f", 0, 0, STB_GLOBAL, STT_FUNC, 1}, {"label", 0, 0, STB_GLOBAL, STT_NOTYPE, 1}, true},
	        {{"f", 0, 0, STB_GLOBAL, STT_FUNC, 1}, {"_f", 0, 0, STB_GLOBAL, STT_FUNC, 1}, true},
	        {{"f", 0, 0, STB_WEAK, STT_FUNC, 1}, {"_f", 0, 0, STB_GLOBAL, STT_FUNC, 1}, true},
	        {{"a_f", 0, 0, STB_GLOBAL, STT_FUNC, 1}, {"_f", 0, 0, STB_GLOBAL, STT_FUNC, 1}, true},
	        {{"_f", 0, 0, STB_GLOBAL, STT_FUNC, 1}, {"__f", 0, 0, STB_GLOBAL, STT_FUNC, 1}, true},
	        {{"weak", 0, 0, STB_WEAK, STT_FUNC, 1}, {"f", 0, 0, STB_GLOBAL, STT_FUNC, 1}, false},
	        {{"f", 0, 0, STB_GLOBAL, STT_FUNC, 1}, {"weak", 0, 0, STB_WEAK, STT_FUNC, 1}, false},
	        {{"a_b", 0, 0, STB_GLOBAL, STT_FUNC, 1}, {"foo", 0, 0, STB_GLOBAL, STT_FUNC, 1}, false},
	        {{"__a", 0, 0, STB_GLOBAL, STT_FUNC, 1}, {"___b", 0, 0, STB_GLOBAL, STT_FUNC, 1}, false},
	};

	for (size_t i = 0; i < COUNT(pairs); i++) {
		for (size_t swapped = 0; swapped < (pairs[i].always ? 2 : 1); swapped++) {
			struct elf_writer_symbol symbols[2];

			symbols[swapped] = pairs[i].wins;
			symbols[1 - swapped] = pairs[i].loses;
			symbols[0].value = symbols[1].value = 0x1010;
			struct image *image = image_of(symbols, COUNT(symbols));
			divide(image, &by_symbol);
			assert_int_equal(image->function_count, 1);
			assert_string_equal(image->functions[0].name, pairs[i].wins.name);
		}
	}
}

static const struct elf_writer_symbol mixed[] = {
        {"global", 0x1001, 2, STB_GLOBAL, STT_FUNC, 1}, {"local", 0x1011, 2, STB_LOCAL, STT_FUNC, 1},
        {"label", 0x1020, 2, STB_LOCAL, STT_NOTYPE, 1}, {"weak", 0x1031, 2, STB_WEAK, STT_FUNC, 1},
        {"mark", 0x1040, 0, STB_GLOBAL, STT_NOTYPE, 1},
};

TEST(code_of_ignored_symbols_joins_the_function_before)
{
	struct image *image = image_of(mixed, COUNT(mixed));

	divide(image, &(struct image_division){.rule = IMAGE_BY_SYMBOL, .no_static = true});
	EXPECT_NAMES(image, "global", "weak", "mark");
	workshop_expect(image, "global", 0x1000, 0x1030);
}

/* GNU gprof's -D ignores local labels only. */
TEST(functions_only_ignores_local_labels)
{
	struct image *image = image_of(mixed, COUNT(mixed));

	divide(image, &(struct image_division){.rule = IMAGE_BY_SYMBOL, .functions_only = true});
	EXPECT_NAMES(image, "global", "local", "weak", "mark");
}

TEST(division_without_symbols_is_refused)
{
	struct image *image = image_of(&mixed[1], 1);

	refuse(image, &(struct image_division){.rule = IMAGE_BY_SYMBOL, .no_static = true},
	       "no symbol of its code is left");
}

/* Writes the file. */
static struct image_division by_file(const char *text)
{
	static char path[WORKSHOP_PATH_MAX];
	FILE *file = workshop_file("symbols.txt", "w");

	fputs(text, file);
	fflush(file);
	workshop_path(path, "symbols.txt");
	return (struct image_division){.rule = IMAGE_BY_SYMBOL, .symbol_file = path};
}

TEST(symbols_are_read_from_a_file)
{
	struct image *image = image_of(mixed, COUNT(mixed));
	struct image_division division = by_file("00001020 T later\r\n"
	                                         "         U undefined\n"
	                                         "20001000 D variable\n"
	                                         "\n"
	                                         "0x1001\tt earlier and more\n"
	                                         "00001020 t hidden\n"
	                                         "00001030 T $odd.name");

	divide(image, &division);
	EXPECT_NAMES(image, "earlier", "later", "$odd.name");
	workshop_expect(image, "earlier", 0x1000, 0x1020);
	workshop_expect(image, "$odd.name", 0x1030, 0x1100);
	assert_true(image->functions[0].is_local);
	assert_false(image->functions[0].is_label);
}

TEST(symbol_files_without_symbols_are_refused)
{
	static const struct {
		const char *text, *words;
	} files[] = {
	        {"", "no symbol of code"},
	        {"00001000 D data\n", "no symbol of code"},
	        {"00001000 T\n", "no symbol of code"},
	        {"00001000 T f\nzzz T g\n", "line 2 does not begin with an address"},
	        {"100000000 T beyond\n", "line 1 does not begin with an address"},
	        {"11111111111111111111 T beyond\n", "line 1 does not begin with an address"},
	};
	struct image *image = image_of(mixed, COUNT(mixed));

	for (size_t i = 0; i < COUNT(files); i++) {
		struct image_division division = by_file(files[i].text);

		refuse(image, &division, files[i].words);
	}
	refuse(image, &(struct image_division){.rule = IMAGE_BY_SYMBOL, .symbol_file = "/no/such/file"},
	       "/no/such/file");
}

TEST(long_names_of_a_symbol_file_are_cut)
{
	char text[3 * IMAGE_NAME_MAX];
	size_t length = (size_t)snprintf(text, sizeof text, "1000 T ");

	memset(text + length, 'x', sizeof text - length - 1);
	text[sizeof text - 1] = '\0';
	struct image *image = image_of(mixed, COUNT(mixed));
	struct image_division division = by_file(text);
	divide(image, &division);
	assert_int_equal(strlen(image->functions[0].name), IMAGE_NAME_MAX);
	assert_string_equal(image->functions[0].name + IMAGE_NAME_MAX - 3, IMAGE_NAME_CUT);
}

#define SYMBOLS_MANY ((size_t)1 << 20)

/* A quadratic algorithm would take minutes, to open the ELF or to divide it. */
TEST(million_symbols_at_one_address_are_one)
{
	struct elf_writer_symbol *symbols = calloc(SYMBOLS_MANY, sizeof *symbols);

	assert_non_null(symbols);
	for (size_t i = 0; i < SYMBOLS_MANY; i++)
		symbols[i] = (struct elf_writer_symbol){i % 2 == 0 ? "_f" : "f", 0x1001, 2, STB_GLOBAL, STT_FUNC, 1};
	struct image *image = image_of(symbols, SYMBOLS_MANY);
	free(symbols);
	divide(image, &by_symbol);
	EXPECT_NAMES(image, "f");
}

static int build(void **state)
{
	return workshop_open_with(WORKSHOP_ARM "-o $WORKSHOP/arm.elf $FIRMWARE/arm.c $FIRMWARE/labels.S && "
	                                       "arm-none-eabi-nm -n $WORKSHOP/arm.elf > $WORKSHOP/arm.nm");
}

ALL_TESTS(build, workshop_close);

/* Functions begin exactly at the code symbols that nm lists. */
TEST(real_firmware_is_divided_at_the_symbols_of_nm)
{
	struct image *image = workshop_image("arm.elf");

	divide(image, &by_symbol);
	FILE *stream = workshop_file("arm.nm", "r");
	char line[256];
	uint64_t last = UINT64_MAX;
	size_t starts = 0;
	while (fgets(line, sizeof line, stream) != NULL) {
		uint64_t start;
		char type;
		char name[100];

		if (sscanf(line, "%" SCNx64 " %c %99s", &start, &type, name) != 3 || strchr("TtW", type) == NULL)
			continue;
		const struct image_function *function = image_function_at(image, start);
		assert_non_null(function);
		assert_int_equal(function->start, start);
		starts += start != last;
		last = start;
	}
	assert_true(starts > 10);
	assert_int_equal(image->function_count, starts);
	for (size_t i = 0; i + 1 < image->function_count; i++)
		assert_int_equal(image->functions[i].end, image->functions[i + 1].start);
}

TEST(functions_get_lines_on_request)
{
	struct image *image = workshop_image("arm.elf");

	divide(image, &by_symbol);
	assert_null(workshop_function(image, "original")->file);
	/* The function has one instruction; a division by symbols shows the line of that instruction. */
	static const struct {
		enum image_rule rule;
		int line;
	} expected[] = {{IMAGE_BY_SYMBOL, 12}, {IMAGE_BY_SIZE, 10}};
	for (size_t i = 0; i < COUNT(expected); i++) {
		divide(image, &(struct image_division){.rule = expected[i].rule, .lines = true});
		const struct image_function *function = workshop_function(image, "original");
		assert_non_null(strstr(function->file, "arm.c"));
		assert_int_equal(function->line, expected[i].line);
	}
}

static bool is_same_line(const struct image_function *left, const struct image_function *right)
{
	return left->file != NULL && right->file != NULL && left->line == right->line &&
	       strcmp(left->file, right->file) == 0 && strcmp(left->name, right->name) == 0;
}

/* Each byte is in the extent of its line or, without a line, in the extent of the code before it. */
static void expect_line_of_bytes(const struct image *image, const struct image_function *function)
{
	for (uint64_t address = function->start + 1; address < function->end; address++) {
		const char *file;
		int line;

		if (!image_line(image, address, &file, &line))
			continue;
		assert_int_equal(function->line, line);
		assert_string_equal(function->file, file);
	}
}

TEST(lines_divide_functions)
{
	struct image *image = workshop_image("arm.elf");

	divide(image, &by_symbol);
	size_t symbol_count = image->function_count, begun = 0;
	divide(image, &(struct image_division){.rule = IMAGE_BY_LINE});
	assert_true(image->function_count > symbol_count + 10);
	for (size_t i = 0; i < image->function_count; i++) {
		const struct image_function *function = &image->functions[i];

		assert_true(i == 0 || function[-1].end == function->start);
		assert_false(i > 0 && function[-1].is_line && is_same_line(&function[-1], function));
		begun += function->is_line ? 0 : 1;
		if (image_code_at(image, function->end - 1) == image_code_at(image, function->start))
			expect_line_of_bytes(image, function);
	}
	assert_int_equal(begun, symbol_count);
}
