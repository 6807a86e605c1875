/* SPDX-License-Identifier: MIT */
/* bareprof unwind-table: compiles the table with which firmware with path trees unwinds its stacks. */
#include "firmware/unwind/table.h"

#include "base/file/file.h"
#include "base/text/text.h"
#include "command/captures.h"
#include "command/command.h"
#include "command/options.h"
#include "firmware/image.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct unwind_table_options {
	const char *output;
	const char *firmware;
};

#define MEMBER(name) offsetof(struct unwind_table_options, name)

static const struct command_option unwind_table_options[] = {
        {'o', "output", "FILE", "output file; - is standard output", .take = option_take_text,
         .member = MEMBER(output)},
        {0},
};

static enum status parse_table_options(int argc, char **argv, struct unwind_table_options *options, struct error *error)
{
	enum status status = command_parse_options(&command_unwind_table, argc, argv, options, error);

	if (status != STATUS_OK)
		return status;
	if (argc - optind != 1)
		return command_usage(&command_unwind_table, error, "expected one ELF");
	if (options->output == NULL)
		return command_usage(&command_unwind_table, error, "missing -o TABLE.bin");
	options->firmware = argv[optind];
	status = command_check_binary_output(&command_unwind_table, options->output, "a table", error);
	if (status != STATUS_OK)
		return status;
	return command_check_inputs(options->firmware, NULL, 0, options->output, error);
}

/* The size that firmware should reserve, a multiple of 8. It includes some spare room: code moves when the section
 * grows, and the table may then need a few more bytes. */
static size_t size_to_reserve(const struct unwind_table *table)
{
	return (table->size + table->size / 32 + 7) / 8 * 8;
}

static enum status check_table_section(const struct image *image, const struct unwind_table *table, struct error *error)
{
	const char *displaced = unwind_table_displaced_section(image);
	const uint8_t *bytes;
	uint64_t size;

	if (displaced != NULL)
		return status_fail(error,
		                   "%s: section " UNWIND_TABLE_SECTION
		                   " extends into %s: objcopy put a table into it that "
		                   "is larger than its room, and moved code in flash: link again",
		                   image->path, displaced);
	if (!unwind_table_section(image, &bytes, &size))
		return status_fail(error,
		                   "%s: no section " UNWIND_TABLE_SECTION " for the table: write "
		                   "BAREPROF_UNWIND_TABLE(%zu) in the firmware and link with bareprof.ld",
		                   image->path, size_to_reserve(table));
	if (table->size > size)
		return status_fail(error,
		                   "%s: the table needs %zu bytes and section " UNWIND_TABLE_SECTION " has %" PRIu64
		                   ": write BAREPROF_UNWIND_TABLE(%zu)",
		                   image->path, table->size, size, size_to_reserve(table));
	return STATUS_OK;
}

/* The first functions without frame information, and the number of the others. */
static void print_bare_functions(const struct unwind_table *table)
{
	for (size_t i = 0; i < table->bare_count && i < UNWIND_TABLE_NAMED_MAX; i++) {
		fputs(i == 0 ? ": " : ", ", stdout);
		text_print(stdout, table->bare[i]->name);
	}
	if (table->bare_count > UNWIND_TABLE_NAMED_MAX)
		printf(" and %zu more", table->bare_count - UNWIND_TABLE_NAMED_MAX);
	putchar('\n');
}

static void print_table_summary(const struct unwind_table_options *options, const struct unwind_table *table)
{
	const double code = (double)table->code_bytes;

	printf("%s: %zu bytes, %.1f %% of %.0f bytes of code; %zu rows, %zu recipes", options->output, table->size,
	       100.0 * (double)table->size / code, code, table->row_count, table->recipe_count);
	if (table->piece_count > 1)
		printf(", %zu pieces of code", table->piece_count);
	putchar('\n');
	if (table->bytes_without_rows > 0) {
		printf("without frame information: %" PRIu64 " bytes of code, in which paths end",
		       table->bytes_without_rows);
		print_bare_functions(table);
	}
	if (table->called_entry != NULL) {
		fputs("the entry point of the ELF is in ", stdout);
		text_print(stdout, table->called_entry->name);
		puts(", but code calls it: name the reset handler with ENTRY() in the linker script");
	}
}

static enum status write_unwind_table(const struct unwind_table_options *options, const struct image *image,
                                      struct error *error)
{
	struct unwind_table table;
	enum status status = unwind_table_compile(image, &table, error);

	if (status != STATUS_OK)
		return status;
	status = check_table_section(image, &table, error);
	if (status == STATUS_OK)
		status = file_write(options->output, table.bytes, table.size, error);
	if (status == STATUS_OK && strcmp(options->output, "-") != 0)
		print_table_summary(options, &table);
	unwind_table_free(&table);
	return status;
}

static enum status run_unwind_table(int argc, char **argv, struct error *error)
{
	struct unwind_table_options options = {0};
	struct image *image = NULL;
	enum status status = parse_table_options(argc, argv, &options, error);

	if (status == STATUS_OK)
		status = image_open(options.firmware, &image, error);
	if (status == STATUS_OK)
		status = write_unwind_table(&options, image, error);
	image_close(image);
	return status;
}

const struct command command_unwind_table = {
        .name = "unwind-table",
        .synopsis = "-o TABLE.bin FW.elf",
        .summary = "compile the table by which firmware unwinds its stacks",
        .help = "For firmware with path trees (BAREPROF_PATHS). objcopy puts the table into the section that\n"
                "BAREPROF_UNWIND_TABLE reserves; no address moves, and the build-id stays. Repeat both steps\n"
                "after each link: the firmware refuses the table of another build.\n\n",
        .options = (const struct option_table[]){{unwind_table_options, 0}, {0}},
        .example = "bareprof unwind-table -o table.bin fw.elf\n"
                   "arm-none-eabi-objcopy --update-section .bareprof_unwind=table.bin fw.elf\n",
        .run = run_unwind_table,
};
