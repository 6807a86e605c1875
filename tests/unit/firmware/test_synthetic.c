/* SPDX-License-Identifier: MIT */
/* ELFs that no toolchain here writes: other classes and byte orders, wrong symbols, regions of memory. */
#include "elf_writer.h"
#include "test.h"
#include "workshop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CODE_FLAGS   (SHF_ALLOC | SHF_EXECINSTR)
#define DATA_FLAGS   (SHF_ALLOC | SHF_WRITE)
#define COUNT(array) (sizeof(array) / sizeof *(array))

static const struct elf_writer_section text = {".text", SHT_PROGBITS, CODE_FLAGS, 0x1000, 0x100, NULL};

static struct elf_writer_plan plan_of(const struct elf_writer_section *sections, size_t section_count,
                                      const struct elf_writer_symbol *symbols, size_t symbol_count)
{
	return (struct elf_writer_plan){
	        .class = ELFCLASS32,
	        .order = ELFDATA2LSB,
	        .machine = EM_ARM,
	        .sections = sections,
	        .section_count = section_count,
	        .symbols = symbols,
	        .symbol_count = symbol_count,
	};
}

static void write_plan(const char *name, const struct elf_writer_plan *plan)
{
	char path[WORKSHOP_PATH_MAX];
	workshop_path(path, name);
	elf_writer_write(path, plan);
}

ALL_TESTS(workshop_open, workshop_close);

TEST(both_classes_and_byte_orders_are_read)
{
	static const struct {
		int class, order;
		unsigned machine;
		enum image_isa isa;
	} kinds[] = {
	        {ELFCLASS32, ELFDATA2LSB, EM_ARM, IMAGE_ISA_ARM},
	        {ELFCLASS32, ELFDATA2MSB, EM_ARM, IMAGE_ISA_ARM},
	        {ELFCLASS32, ELFDATA2LSB, EM_RISCV, IMAGE_ISA_RISCV},
	        {ELFCLASS64, ELFDATA2LSB, EM_RISCV, IMAGE_ISA_RISCV},
	        {ELFCLASS64, ELFDATA2LSB, EM_X86_64, IMAGE_ISA_X86},
	        {ELFCLASS64, ELFDATA2MSB, EM_PPC64, IMAGE_ISA_OTHER},
	        {ELFCLASS32, ELFDATA2LSB, EM_XTENSA, IMAGE_ISA_OTHER},
	};
	const struct elf_writer_symbol symbols[] = {{"f", 0x1010, 0x20, STB_GLOBAL, STT_FUNC, 1}};
	for (size_t i = 0; i < COUNT(kinds); i++) {
		struct elf_writer_plan plan = plan_of(&text, 1, symbols, 1);
		plan.class = kinds[i].class;
		plan.order = kinds[i].order;
		plan.machine = kinds[i].machine;
		write_plan("kind.elf", &plan);
		struct image *image = workshop_image("kind.elf");
		assert_int_equal(image->isa, kinds[i].isa);
		assert_int_equal(image->address_size, kinds[i].class == ELFCLASS64 ? 8 : 4);
		assert_int_equal(image->big_endian, kinds[i].order == ELFDATA2MSB);
		workshop_expect(image, "f", 0x1010, 0x1030);
		image_close(image);
	}
}

TEST(arm_with_64_bits_is_refused)
{
	const struct elf_writer_symbol symbols[] = {{"f", 0x1010, 0x20, STB_GLOBAL, STT_FUNC, 1}};
	struct elf_writer_plan plan = plan_of(&text, 1, symbols, 1);
	plan.class = ELFCLASS64;
	write_plan("wide.elf", &plan);
	workshop_refuses("wide.elf", "a 64-bit ELF for a 32-bit Arm machine");
}

TEST(core_dump_is_refused)
{
	const struct elf_writer_symbol symbols[] = {{"f", 0x1010, 0x20, STB_GLOBAL, STT_FUNC, 1}};
	struct elf_writer_plan plan = plan_of(&text, 1, symbols, 1);
	plan.type = ET_CORE;
	write_plan("core.elf", &plan);
	workshop_refuses("core.elf", "ELF type 4 at offset 16");
}

TEST(thumb_bit_is_removed_on_arm_only)
{
	const struct elf_writer_symbol symbols[] = {{"f", 0x1011, 0x20, STB_GLOBAL, STT_FUNC, 1}};
	struct elf_writer_plan plan = plan_of(&text, 1, symbols, 1);
	write_plan("thumb.elf", &plan);
	struct image *image = workshop_image("thumb.elf");
	workshop_expect(image, "f", 0x1010, 0x1030);
	image_close(image);
	plan.machine = EM_386;
	write_plan("odd.elf", &plan);
	image = workshop_image("odd.elf");
	workshop_expect(image, "f", 0x1011, 0x1031);
	image_close(image);
}

TEST(sizes_are_not_trusted_beyond_the_section)
{
	const struct elf_writer_symbol symbols[] = {
	        {"long", 0x10F0, 0xFFFFFFFF, STB_GLOBAL, STT_FUNC, 1},
	        {"below", 0xFFE, 8, STB_GLOBAL, STT_FUNC, 1},
	        {"behind", 0x1100, 8, STB_GLOBAL, STT_FUNC, 1},
	        {"nowhere", 0x1000, 8, STB_GLOBAL, STT_FUNC, 99},
	        {"undefined", 0x1000, 8, STB_GLOBAL, STT_FUNC, SHN_UNDEF},
	        {"absolute", 0x1000, 8, STB_GLOBAL, STT_FUNC, SHN_ABS},
	};
	struct elf_writer_plan plan = plan_of(&text, 1, symbols, COUNT(symbols));
	write_plan("sizes.elf", &plan);
	struct image *image = workshop_image("sizes.elf");
	assert_int_equal(image->function_count, 1);
	workshop_expect(image, "long", 0x10F0, 0x1100);
	image_close(image);
}

static const char *owner_among(const struct elf_writer_symbol *symbols, size_t count)
{
	static char owner[64];
	struct elf_writer_plan plan = plan_of(&text, 1, symbols, count);
	write_plan("aliases.elf", &plan);
	struct image *image = workshop_image("aliases.elf");
	assert_int_equal(image->function_count, 1);
	snprintf(owner, sizeof owner, "%s", image->functions[0].name);
	image_close(image);
	return owner;
}

TEST(one_of_several_symbols_at_an_address_owns_it)
{
	const struct elf_writer_symbol symbols[] = {
	        {"label", 0x1000, 0, STB_GLOBAL, STT_NOTYPE, 1},
	        {"unsized", 0x1001, 0, STB_GLOBAL, STT_FUNC, 1},
	        {"sized_label", 0x1000, 8, STB_GLOBAL, STT_NOTYPE, 1},
	        {"local", 0x1001, 8, STB_LOCAL, STT_FUNC, 1},
	        {"weak", 0x1001, 8, STB_WEAK, STT_FUNC, 1},
	        {"__under", 0x1001, 8, STB_GLOBAL, STT_FUNC, 1},
	        {"_under", 0x1001, 8, STB_GLOBAL, STT_FUNC, 1},
	        {"first", 0x1001, 8, STB_GLOBAL, STT_FUNC, 1},
	        {"second", 0x1001, 8, STB_GLOBAL, STT_FUNC, 1},
	};
	for (size_t count = 1; count <= 8; count++)
		assert_string_equal(owner_among(symbols, count), symbols[count - 1].name);
	assert_string_equal(owner_among(symbols, 9), "first");
}

TEST(all_clones_keep_their_own_entries)
{
	const struct elf_writer_symbol symbols[] = {
	        {"f", 0x1001, 16, STB_GLOBAL, STT_FUNC, 1},
	        {"f.isra.0", 0x1011, 16, STB_LOCAL, STT_FUNC, 1},
	        {"f.part.0", 0x1021, 16, STB_LOCAL, STT_FUNC, 1},
	        {"f.constprop.0.isra.0", 0x1031, 16, STB_LOCAL, STT_FUNC, 1},
	        {"f.cold", 0x1041, 16, STB_LOCAL, STT_FUNC, 1},
	};
	struct elf_writer_plan plan = plan_of(&text, 1, symbols, COUNT(symbols));
	write_plan("clones.elf", &plan);
	struct image *image = workshop_image("clones.elf");
	assert_int_equal(image->function_count, COUNT(symbols));
	for (size_t i = 0; i < COUNT(symbols); i++)
		assert_string_equal(image->functions[i].name, symbols[i].name);
	image_close(image);
}

TEST(memory_is_what_can_be_written_merged)
{
	const struct elf_writer_section sections[] = {
	        text,
	        {".bss", SHT_NOBITS, DATA_FLAGS, 0x20000010, 0x30, NULL},
	        {".data", SHT_PROGBITS, DATA_FLAGS, 0x20000000, 0x10, NULL},
	        {".rodata", SHT_PROGBITS, SHF_ALLOC, 0x2000, 0x10, NULL},
	        {".tbss", SHT_NOBITS, DATA_FLAGS | SHF_TLS, 0x30000000, 0x10, NULL},
	        {".ccm", SHT_NOBITS, DATA_FLAGS, 0x10000000, 0x100, NULL},
	        {".inside", SHT_NOBITS, DATA_FLAGS, 0x10000010, 0x10, NULL},
	        {".empty", SHT_NOBITS, DATA_FLAGS, 0x40000000, 0, NULL},
	        {".last", SHT_NOBITS, DATA_FLAGS, 0xFFFFFF00, 0x100, NULL},
	};
	const struct elf_writer_symbol symbols[] = {{"f", 0x1010, 0x20, STB_GLOBAL, STT_FUNC, 1}};
	struct elf_writer_plan plan = plan_of(sections, COUNT(sections), symbols, 1);
	write_plan("memory.elf", &plan);
	struct image *image = workshop_image("memory.elf");
	assert_int_equal(image->memory_count, 3);
	assert_int_equal(image->memory[0].address, 0x10000000);
	assert_int_equal(image->memory[0].size, 0x100);
	assert_int_equal(image->memory[1].address, 0x20000000);
	assert_int_equal(image->memory[1].size, 0x40);
	assert_int_equal(image->memory[2].address, 0xFFFFFF00);
	assert_int_equal(image->memory[2].size, 0x100);
	image_close(image);
}

TEST(code_is_found_by_any_address_in_it)
{
	const struct elf_writer_section sections[] = {
	        {".last", SHT_PROGBITS, CODE_FLAGS, 0xFFFFFF00, 0x100, NULL},
	        text,
	        {".next", SHT_PROGBITS, CODE_FLAGS, 0x1100, 0x10, NULL},
	};
	const struct elf_writer_symbol symbols[] = {{"f", 0x1010, 0x20, STB_GLOBAL, STT_FUNC, 2}};
	struct elf_writer_plan plan = plan_of(sections, COUNT(sections), symbols, 1);
	write_plan("code.elf", &plan);
	struct image *image = workshop_image("code.elf");
	assert_null(image_code_at(image, 0xFFF));
	assert_string_equal(image_code_at(image, 0x1000)->name, ".text");
	assert_string_equal(image_code_at(image, 0x10FF)->name, ".text");
	assert_string_equal(image_code_at(image, 0x1100)->name, ".next");
	assert_null(image_code_at(image, 0x1110));
	assert_string_equal(image_code_at(image, 0xFFFFFFFF)->name, ".last");
	assert_null(image_code_at(image, 0x100000000));
	image_close(image);
}

TEST(section_beyond_the_address_space_is_refused)
{
	const struct elf_writer_section sections[] = {text, {".bss", SHT_NOBITS, DATA_FLAGS, 0xFFFFFF00, 0x101, NULL}};
	const struct elf_writer_symbol symbols[] = {{"f", 0x1010, 0x20, STB_GLOBAL, STT_FUNC, 1}};
	struct elf_writer_plan plan = plan_of(sections, COUNT(sections), symbols, 1);
	write_plan("beyond.elf", &plan);
	workshop_refuses("beyond.elf", "section 2 at address 0xffffff00 with 0x101 bytes exceeds the address space");
}

TEST(firmware_without_functions_is_refused)
{
	const struct elf_writer_symbol symbols[] = {{"variable", 0x1010, 4, STB_GLOBAL, STT_OBJECT, 1}};
	struct elf_writer_plan plan = plan_of(&text, 1, symbols, 1);
	write_plan("data.elf", &plan);
	workshop_refuses("data.elf", "no function in its symbol table");
}

TEST(global_symbol_is_preferred_by_name)
{
	const struct elf_writer_symbol symbols[] = {
	        {"name", 0x1010, 2, STB_LOCAL, STT_FUNC, 1},          {"name", 0x1020, 2, STB_WEAK, STT_FUNC, 1},
	        {"name", 0x1030, 2, STB_GLOBAL, STT_FUNC, 1},         {"name", 0x1040, 2, STB_LOCAL, STT_FUNC, 1},
	        {"name", 0x1050, 2, STB_GLOBAL, STT_FUNC, SHN_UNDEF},
	};
	struct elf_writer_plan plan = plan_of(&text, 1, symbols, COUNT(symbols));
	write_plan("names.elf", &plan);
	struct image *image = workshop_image("names.elf");
	uint64_t value = 0;
	assert_true(image_symbol(image, "name", &value));
	assert_int_equal(value, 0x1030);
	image_close(image);
}

#define MANY ((size_t)1 << 20)

TEST(a_million_symbols_at_one_address_take_seconds)
{
	struct elf_writer_symbol *symbols = calloc(MANY, sizeof *symbols);
	assert_non_null(symbols);
	for (size_t i = 0; i < MANY; i++)
		symbols[i] = (struct elf_writer_symbol){"", 0x1010, 0x20, STB_GLOBAL, STT_FUNC, 1};
	symbols[0].name = "a";
	symbols[MANY - 1].name = "b";
	for (size_t i = 1; i < MANY - 1; i++)
		symbols[i].name = i % 2 == 0 ? "_c" : "__d";
	/* The writer copies each name, a few bytes each. */
	struct elf_writer_plan plan = plan_of(&text, 1, symbols, MANY);
	write_plan("many.elf", &plan);
	free(symbols);
	clock_t before = clock();
	struct image *image = workshop_image("many.elf");
	assert_true(clock() - before < 20 * CLOCKS_PER_SEC);
	assert_int_equal(image->function_count, 1);
	assert_string_equal(image->functions[0].name, "a");
	image_close(image);
}
