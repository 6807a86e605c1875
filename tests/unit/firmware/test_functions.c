/* SPDX-License-Identifier: MIT */
/* Functions from the symbols of real firmware, compared with nm. */
#include "test.h"
#include "workshop.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct image *image; /* arm.elf */

static int build(void **state)
{
	int status =
	        workshop_open_with(WORKSHOP_ARM "-o $WORKSHOP/arm.elf $FIRMWARE/arm.c $FIRMWARE/labels.S && "
	                                        "arm-none-eabi-nm --print-size $WORKSHOP/arm.elf > $WORKSHOP/arm.nm && "
	                                        "arm-none-eabi-strip -o $WORKSHOP/stripped.elf $WORKSHOP/arm.elf && "
	                                        "arm-none-eabi-objcopy -O binary $WORKSHOP/arm.elf $WORKSHOP/arm.bin");

	image = workshop_image("arm.elf");
	return status;
}

/* The address that nm prints for a symbol. */
static uint64_t address_of(const char *name)
{
	FILE *stream = workshop_file("arm.nm", "r");
	char line[256];
	uint64_t address = UINT64_MAX;

	while (fgets(line, sizeof line, stream) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		const char *last = strrchr(line, ' ');
		if (last != NULL && strcmp(last + 1, name) == 0)
			address = strtoull(line, NULL, 16);
	}
	assert_int_not_equal(address, UINT64_MAX);
	return address;
}

ALL_TESTS(build, workshop_close);

/* Every function symbol with a size is found at its address, under the name of its owner or of an alias. */
TEST(sized_functions_match_nm)
{
	FILE *stream = workshop_file("arm.nm", "r");
	char line[256];
	size_t count = 0;

	while (fgets(line, sizeof line, stream) != NULL) {
		uint64_t start;
		uint64_t size;
		char type;
		char name[100];

		if (sscanf(line, "%" SCNx64 " %" SCNx64 " %c %99s", &start, &size, &type, name) != 4 ||
		    strchr("TtW", type) == NULL || strcmp(name, "table") == 0)
			continue;
		const struct image_function *function = image_function_at(image, start);
		assert_non_null(function);
		assert_true(function->sized);
		assert_int_equal(function->start, start);
		assert_int_equal(function->end, start + size);
		count++;
	}
	assert_true(count >= 10);
}

TEST(local_clone_keeps_its_own_entry)
{
	const struct image_function *clone = workshop_function(image, "scaled.constprop.0");

	assert_non_null(clone);
	assert_int_equal(clone->start, address_of("scaled.constprop.0"));
}

TEST(code_in_ram_and_itcm_counts)
{
	workshop_expect(image, "in_itcm", 0, 4);
	workshop_expect(image, "in_ram", 0x20000000, 0x20000004);
	assert_int_equal(image->code_count, 3);
	assert_string_equal(image->code[0].name, ".itcm");
	assert_string_equal(image->code[1].name, ".text");
	assert_string_equal(image->code[2].name, ".ramcode");
}

TEST(labels_extend_to_the_next_symbol_or_the_end)
{
	workshop_expect(image, "untyped_global", address_of("untyped_global"), address_of("untyped_local"));
	workshop_expect(image, "untyped_local", address_of("untyped_local"), address_of("typed_unsized"));
	workshop_expect(image, "typed_unsized", address_of("typed_unsized"), address_of("__gnu_mcount_nc"));
	workshop_expect(image, "untyped_last", address_of("untyped_last"), address_of("_etext"));
	assert_false(workshop_function(image, "untyped_local")->sized);
}

TEST(labels_without_function_type_are_omitted)
{
	static const char *const names[] = {"inside_sized", "table",         "label_in_table", "absolute_label",
	                                    "_etext",       "__text_end",    "text_marker",    "$t",
	                                    "$d",           "bareprof_block"};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		assert_null(workshop_function(image, names[i]));
}

TEST(addresses_between_functions_have_no_function)
{
	assert_non_null(image_function_at(image, address_of("original") + 5));
	assert_null(image_function_at(image, address_of("original") + 6));
	assert_null(image_function_at(image, address_of("table")));
	assert_null(image_function_at(image, 4));
	assert_null(image_function_at(image, UINT64_MAX));
}

TEST(symbols_are_found_by_name_without_the_thumb_bit)
{
	uint64_t value = 0;

	assert_true(image_symbol(image, "bareprof_block", &value));
	assert_int_equal(value, 0x20008000);
	assert_true(image_symbol(image, "reset_handler", &value));
	assert_int_equal(value, address_of("reset_handler"));
	assert_true(image_symbol(image, "absolute_label", &value));
	assert_int_equal(value, 0x08000040);
	assert_false(image_symbol(image, "no_such_symbol", &value));
	assert_false(image_symbol(image, "arm.c", &value));
}

TEST(main_stack_ends_at_a_symbol_or_the_first_vector)
{
	static const struct {
		const char *options;
		uint64_t end;
	} cases[] = {
	        {"", 0x20001000},
	        {"-Wl,--defsym=_estack=0x20008000", 0x20008000},
	        {"-Wl,--defsym=_estack=0x20008000,--defsym=bareprof_stack_end=0x20004000", 0x20004000},
	};

	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		workshop_run(WORKSHOP_ARM "%s -o $WORKSHOP/stack.elf $FIRMWARE/arm.c $FIRMWARE/labels.S",
		             cases[i].options);
		assert_int_equal(image_stack_end(workshop_image("stack.elf")), cases[i].end);
	}
}

TEST(instrumentation_hooks_are_found)
{
	assert_true(image->hook_count > 0);
	workshop_run(WORKSHOP_ARM "-Wl,--unresolved-symbols=ignore-all -o $WORKSHOP/bare.elf $FIRMWARE/arm.c");
	assert_int_equal(workshop_image("bare.elf")->hook_count, 0);
}

TEST(only_linked_firmware_is_accepted)
{
	workshop_run(WORKSHOP_ARM "-c -o $WORKSHOP/arm.o $FIRMWARE/arm.c");
	workshop_refuses("arm.o", "expected a linked firmware");
	workshop_refuses("stripped.elf", "no symbol table: build with symbols or do not strip");
	workshop_refuses("arm.bin", "not an ELF file");
	workshop_refuses("missing.elf", "No such file");
}

static struct image_entry *entries_of(const char *elf, size_t *count)
{
	struct image_entry *entries;

	assert_true(image_entries(workshop_image(elf), &entries, count));
	return release_later(entries, free);
}

static const struct image_entry *entry_of(const struct image_entry *entries, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(entries[i].name, name) == 0)
			return &entries[i];
	fail_msg("no entry %s", name);
	return NULL;
}

TEST(entries_have_all_names_and_the_files_of_local_ones)
{
	workshop_run("printf '%%s\\n' 'static __attribute__((noinline, noclone)) int own(int a) { return a * a; }' "
	             "'int NAME(int a) { return own(a) + own(a + 1); }' >$WORKSHOP/one.c && cp $WORKSHOP/one.c "
	             "$WORKSHOP/two.c && arm-none-eabi-gcc -mcpu=cortex-m3 -O1 -c -DNAME=first $WORKSHOP/one.c -o "
	             "$WORKSHOP/one.o && arm-none-eabi-gcc -mcpu=cortex-m3 -O1 -c -DNAME=second $WORKSHOP/two.c -o "
	             "$WORKSHOP/two.o && arm-none-eabi-ld -e first --defsym also=first -Ttext=0x8000 $WORKSHOP/one.o "
	             "$WORKSHOP/two.o -o $WORKSHOP/units.elf");
	size_t count;
	struct image_entry *entries = entries_of("units.elf", &count);
	for (size_t i = 1; i < count; i++)
		assert_true(entries[i - 1].address <= entries[i].address);
	assert_int_equal(entry_of(entries, count, "also")->address, entry_of(entries, count, "first")->address);
	assert_true(entries[0].is_local && !entry_of(entries, count, "second")->is_local);
	assert_null(entry_of(entries, count, "second")->source);
	assert_string_equal(entries[0].name, "own");
	assert_string_equal(entries[0].source, "one.c");
	size_t other = 1;
	while (other < count && strcmp(entries[other].name, "own") != 0)
		other++;
	assert_string_equal(entries[other].source, "two.c");
	assert_int_not_equal(entries[0].unit, entries[other].unit);
}

/* GCC 12 writes an empty file name, other versions the one in the assembly code here. */
TEST(link_time_optimisation_leaves_no_files)
{
	static const char *const builds[] = {
	        "arm-none-eabi-gcc -mcpu=cortex-m3 -O1 -flto -nostdlib -Wl,-e,first -DNAME=first $WORKSHOP/one.c -o "
	        "$WORKSHOP/lto.elf",
	        "printf '%s\\n' '.file \"<artificial>\"' .thumb .thumb_func '.type own,%function' 'own: bx lr' "
	        "'.size own, 2' >$WORKSHOP/lto.s && arm-none-eabi-gcc -mcpu=cortex-m3 -nostdlib -Wl,-e,0 "
	        "$WORKSHOP/lto.s -o $WORKSHOP/lto.elf",
	};

	for (size_t i = 0; i < sizeof builds / sizeof *builds; i++) {
		workshop_run("%s", builds[i]);
		size_t count;
		struct image_entry *entries = entries_of("lto.elf", &count);
		assert_null(entry_of(entries, count, "own")->source);
		assert_int_equal(entry_of(entries, count, "own")->unit, 0);
	}
}
