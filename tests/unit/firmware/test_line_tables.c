/* SPDX-License-Identifier: MIT */
/* Line tables that no compiler generates: some would exhaust memory, some refer to other files. */
#include "elf_writer.h"
#include "line_writer.h"
#include "test.h"
#include "workshop.h"

#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <unistd.h>
#include <zlib.h>

#define BYTES(text) (text), sizeof(text) - 1

/* Folder "lib", file 1 "a.c" in it. */
#define OLD_FILES "lib\0\0a.c\0\1\0\0\0"
static struct line_writer old_files(void)
{
	struct line_writer files = {.bytes = NULL};

	line_writer_bytes(&files, BYTES(OLD_FILES));
	return files;
}

/* A table of version 4 with one sequence. */
static void add_table(struct line_writer *section, uint32_t address, unsigned size, unsigned line)
{
	struct line_writer files = old_files();
	struct line_writer program = {.bytes = NULL};

	line_writer_sequence(&program, address, size, line);
	line_writer_table(section, &files, &program);
}

static void expect_line(const struct image *image, uint64_t address, const char *expected_file, int expected_line)
{
	const char *file;
	int line;

	assert_true(image_line(image, address, &file, &line));
	assert_string_equal(file, expected_file);
	assert_int_equal(line, expected_line);
}

static void expect_no_line(const struct image *image, uint64_t address)
{
	const char *file;
	int line;

	assert_false(image_line(image, address, &file, &line));
}

static long peak_kilobytes(void)
{
	struct rusage usage;

	assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
	return usage.ru_maxrss;
}

ALL_TESTS(workshop_open, workshop_close);

/*
 * Nested tables, with a unit for each. The program of each is an unknown operation whose operand is the next table, so
 * that a reader of the outer table decodes it as rows. Decoding all of them would take quadratic time and memory:
 * 20,000 rows in each of 2,000 tables.
 */
TEST(nested_tables_are_not_all_read)
{
	enum { TABLES = 2000, ROWS = 20000 };
	struct line_writer lines = {.bytes = NULL}, info = {.bytes = NULL};

	for (unsigned i = 0; i < TABLES; i++) {
		struct line_writer files = old_files();
		struct line_writer program = {.bytes = NULL};

		line_writer_unit(&info, lines.size);
		line_writer_sequence(&program, 0x1000, 8, 7);
		size_t start = lines.size;
		line_writer_table(&lines, &files, &program);
		/* Each table claims everything up to the end of the section. */
		uint32_t length = (uint32_t)((TABLES - i) * (lines.size - start) + ROWS - 4);
		memcpy(lines.bytes + start, &length, sizeof length);
	}
	uint8_t rows[ROWS];
	memset(rows, 1, sizeof rows); /* DW_LNS_copy */
	line_writer_bytes(&lines, rows, sizeof rows);
	struct image *image = line_writer_image("f", &lines, 0, &info);
	const char *file;
	int line;
	long before = peak_kilobytes();
	image_line(image, 0x1000, &file, &line);
	assert_true(peak_kilobytes() - before < 100000);
}

/* A table compressed with zlib, followed by as many zeros. */
static struct image *image_of_compressed(size_t zeros)
{
	struct line_writer lines = {.bytes = NULL};

	add_table(&lines, 0x1000, 8, 7);
	uint8_t *nothing = calloc(zeros, 1);
	assert_non_null(nothing);
	line_writer_bytes(&lines, nothing, zeros);
	free(nothing);
	uLong size = compressBound(lines.size);
	uint8_t *compressed = malloc(size);
	assert_non_null(compressed);
	assert_int_equal(compress(compressed, &size, lines.bytes, lines.size), Z_OK);
	struct line_writer section = {.bytes = NULL};
	line_writer_number(&section, ELFCOMPRESS_ZLIB, 4);
	line_writer_number(&section, lines.size, 4);
	line_writer_number(&section, 1, 4);
	line_writer_bytes(&section, compressed, size);
	free(compressed);
	return line_writer_image("f", &section, SHF_COMPRESSED, NULL);
}

TEST(section_that_expands_too_much_is_not_read)
{
	struct image *image = image_of_compressed(100);

	expect_line(image, 0x1000, "lib/a.c", 7);
	image = image_of_compressed(4000000);
	expect_no_line(image, 0x1000);
	assert_non_null(strstr(image_unreadable_lines(image), "expand"));
}

/* .gnu_debugaltlink names a file and a build-id; a string of the unit is in that file. */
TEST(file_named_by_the_elf_is_not_opened)
{
	workshop_run("touch $WORKSHOP/other");
	char path[WORKSHOP_PATH_MAX];
	workshop_path(path, "other");
	char *absolute = realpath(path, NULL);
	assert_non_null(absolute);
	struct line_writer link = {.bytes = NULL};
	line_writer_bytes(&link, absolute, strlen(absolute) + 1);
	line_writer_bytes(&link, (const uint8_t[20]){1}, 20);
	struct line_writer lines = {.bytes = NULL};
	add_table(&lines, 0x1000, 8, 7);
	static const uint8_t info[] = {7 + 9, 0, 0, 0, 4, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0, 0, 0, 0, 0};
	/* DW_AT_stmt_list, and DW_AT_comp_dir as DW_FORM_GNU_strp_alt. */
	static const uint8_t abbreviations[] = "\1\x11\0\x10\x17\x1B\xA1\x3E\0\0";
	const struct elf_writer_section sections[] = {
	        {".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1000, 0x100, NULL},
	        {".debug_line", SHT_PROGBITS, 0, 0, lines.size, lines.bytes},
	        {".debug_info", SHT_PROGBITS, 0, 0, sizeof info, info},
	        {".debug_abbrev", SHT_PROGBITS, 0, 0, sizeof abbreviations, abbreviations},
	        {".gnu_debugaltlink", SHT_PROGBITS, 0, 0, link.size, link.bytes},
	};
	static const struct elf_writer_symbol symbols[] = {{"f", 0x1000, 0x100, STB_GLOBAL, STT_FUNC, 1}};
	struct image *image = elf_writer_image(&(struct elf_writer_plan){ELF_SECTIONS(sections), ELF_SYMBOLS(symbols)});
	int watch = inotify_init1(IN_NONBLOCK);
	assert_true(watch >= 0 && inotify_add_watch(watch, absolute, IN_OPEN) >= 0);
	expect_line(image, 0x1000, "lib/a.c", 7);
	char event[1024];
	assert_int_equal(read(watch, event, sizeof event), -1);
	close(watch);
	free(absolute);
}

/*
 * Where a function begins, compilers may leave a row of the function before it, which begins no statement. The second
 * row of the function itself belongs to a function inlined at its top.
 */
TEST(function_begins_with_its_first_statement)
{
	/* DWARF 4, 6.2.5: set_address; negate_stmt if statements begin by default; advance_line, copy; ... */
	static const uint8_t rows[] = {0, 5,    2,  0, 0x10, 0, 0, 6, 3, 8, 1, /* line 9 */
	                               6, 3,    11, 1,                         /* line 20 */
	                               3, 5,    1,                             /* line 25 */
	                               2, 0x10, 0,  1, 1};
	struct line_writer lines = {.bytes = NULL}, files = old_files(), program = {.bytes = NULL};

	line_writer_bytes(&program, rows, sizeof rows);
	line_writer_table(&lines, &files, &program);
	struct image *image = line_writer_image("f", &lines, 0, NULL);
	expect_line(image, 0x1000, "lib/a.c", 20);
	expect_line(image, 0x1001, "lib/a.c", 25);
	const struct image_division by_symbol = {.rule = IMAGE_BY_SYMBOL, .lines = true};
	assert_success(image_divide(image, &by_symbol, &failure), &failure);
	assert_int_equal(image->functions[0].line, 25);
}

/* As GCC ends main()'s section: with a row of no code. Other units have the functions between the two sequences. */
TEST(a_row_at_the_end_of_a_sequence_does_not_begin_the_next)
{
	static const struct elf_writer_symbol functions[] = {
	        {"first", 0x1000, 0x10, STB_GLOBAL, STT_FUNC, 1},
	        {"between", 0x1010, 0x30, STB_GLOBAL, STT_FUNC, 1},
	        {"also_between", 0x1040, 0x40, STB_GLOBAL, STT_FUNC, 1},
	        {"second", 0x1080, 0x10, STB_GLOBAL, STT_FUNC, 1},
	};
	struct line_writer files = old_files(), program = {.bytes = NULL}, lines = {.bytes = NULL};

	line_writer_bytes(&program, BYTES("\0\5\2\0\x10\0\0" /* address 0x1000 */
	                                  "\3\6\1"           /* line 7 */
	                                  "\2\x10\3\1\1"     /* 0x1010: line 8 */
	                                  "\0\1\1"));        /* the end */
	line_writer_sequence(&program, 0x1080, 16, 20);
	line_writer_table(&lines, &files, &program);
	struct image *image = line_writer_image_of(functions, 4, &lines);
	expect_line(image, 0x1000, "lib/a.c", 7);
	expect_no_line(image, 0x1010);
	expect_no_line(image, 0x1040);
	expect_line(image, 0x1080, "lib/a.c", 20);
}
