/* SPDX-License-Identifier: MIT */
/* ELFs that no toolchain here generates: other classes and byte orders, wrong symbols, regions of memory. */
#include "elf_writer.h"
#include "test.h"
#include "workshop.h"

#define CODE_FLAGS   (SHF_ALLOC | SHF_EXECINSTR)
#define DATA_FLAGS   (SHF_ALLOC | SHF_WRITE)
#define COUNT(array) (sizeof(array) / sizeof *(array))
#define TEXT                                                                    \
	{                                                                       \
		".text", SHT_PROGBITS, CODE_FLAGS, ELF_WRITER_TEXT, 0x100, NULL \
	}

static const struct elf_writer_symbol function[] = {{"f", 0x1010, 0x20, STB_GLOBAL, STT_FUNC, 1}};

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
	        {ELFCLASS64, ELFDATA2LSB, EM_X86_64, IMAGE_ISA_OTHER},
	        {ELFCLASS64, ELFDATA2MSB, EM_PPC64, IMAGE_ISA_OTHER},
	        {ELFCLASS32, ELFDATA2LSB, EM_XTENSA, IMAGE_ISA_OTHER},
	};

	for (size_t i = 0; i < COUNT(kinds); i++) {
		const struct elf_writer_plan plan = {
		        .class = kinds[i].class,
		        .order = kinds[i].order,
		        .machine = kinds[i].machine,
		        ELF_SYMBOLS(function),
		};
		struct image *image = elf_writer_image(&plan);

		assert_int_equal(image->isa, kinds[i].isa);
		assert_int_equal(image->address_size, kinds[i].class == ELFCLASS64 ? 8 : 4);
		assert_int_equal(image->big_endian, kinds[i].order == ELFDATA2MSB);
		workshop_expect(image, "f", 0x1010, 0x1030);
	}
}

TEST(unusable_elfs_are_refused)
{
	static const struct elf_writer_section beyond[] = {TEXT,
	                                                   {".bss", SHT_NOBITS, DATA_FLAGS, 0xFFFFFF00, 0x101, NULL}};
	static const struct elf_writer_symbol variable[] = {{"variable", 0x1010, 4, STB_GLOBAL, STT_OBJECT, 1}};
	static const struct {
		struct elf_writer_plan plan;
		const char *words;
	} cases[] = {
	        {{.class = ELFCLASS64, ELF_SYMBOLS(function)}, "a 64-bit ELF for a 32-bit Arm machine"},
	        {{.type = ET_CORE, ELF_SYMBOLS(function)}, "ELF type 4 at offset 16"},
	        {{ELF_SECTIONS(beyond), ELF_SYMBOLS(function)},
	         "section 2 at address 0xffffff00 with 0x101 bytes exceeds the address space"},
	        {{ELF_SYMBOLS(variable)}, "no function in its symbol table"},
	};
	char path[WORKSHOP_PATH_MAX];

	workshop_path(path, "refused.elf");
	for (size_t i = 0; i < COUNT(cases); i++) {
		elf_writer_write(path, &cases[i].plan);
		workshop_refuses("refused.elf", cases[i].words);
	}
}

TEST(thumb_bit_is_removed_on_arm_only)
{
	static const struct elf_writer_symbol odd[] = {{"f", 0x1011, 0x20, STB_GLOBAL, STT_FUNC, 1}};
	struct image *image = elf_writer_image(&(struct elf_writer_plan){ELF_SYMBOLS(odd)});

	workshop_expect(image, "f", 0x1010, 0x1030);
	image = elf_writer_image(&(struct elf_writer_plan){.machine = EM_386, ELF_SYMBOLS(odd)});
	workshop_expect(image, "f", 0x1011, 0x1031);
}

TEST(sizes_are_not_trusted_beyond_the_section)
{
	static const struct elf_writer_symbol symbols[] = {
	        {"long", 0x10F0, 0xFFFFFFFF, STB_GLOBAL, STT_FUNC, 1},
	        {"below", 0xFFE, 8, STB_GLOBAL, STT_FUNC, 1},
	        {"above", 0x1100, 8, STB_GLOBAL, STT_FUNC, 1},
	        {"nowhere", 0x1000, 8, STB_GLOBAL, STT_FUNC, 99},
	        {"undefined", 0x1000, 8, STB_GLOBAL, STT_FUNC, SHN_UNDEF},
	        {"absolute", 0x1000, 8, STB_GLOBAL, STT_FUNC, SHN_ABS},
	};
	struct image *image = elf_writer_image(&(struct elf_writer_plan){ELF_SYMBOLS(symbols)});

	assert_int_equal(image->function_count, 1);
	workshop_expect(image, "long", 0x10F0, 0x1100);
}

TEST(one_of_several_symbols_at_an_address_owns_it)
{
	/* Each is preferred to all before it, except for the last one. */
	static const struct elf_writer_symbol symbols[] = {
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

	for (size_t count = 1; count <= COUNT(symbols); count++) {
		struct image *image =
		        elf_writer_image(&(struct elf_writer_plan){.symbols = symbols, .symbol_count = count});

		assert_int_equal(image->function_count, 1);
		assert_string_equal(image->functions[0].name,
		                    symbols[count == COUNT(symbols) ? count - 2 : count - 1].name);
	}
}

TEST(writable_sections_are_merged_into_memory)
{
	static const struct elf_writer_section sections[] = {
	        TEXT,
	        {".bss", SHT_NOBITS, DATA_FLAGS, 0x20000010, 0x30, NULL},
	        {".data", SHT_PROGBITS, DATA_FLAGS, 0x20000000, 0x10, NULL},
	        {".rodata", SHT_PROGBITS, SHF_ALLOC, 0x2000, 0x10, NULL},
	        {".tbss", SHT_NOBITS, DATA_FLAGS | SHF_TLS, 0x30000000, 0x10, NULL},
	        {".ccm", SHT_NOBITS, DATA_FLAGS, 0x10000000, 0x100, NULL},
	        {".inside", SHT_NOBITS, DATA_FLAGS, 0x10000010, 0x10, NULL},
	        {".empty", SHT_NOBITS, DATA_FLAGS, 0x40000000, 0, NULL},
	        {".last", SHT_NOBITS, DATA_FLAGS, 0xFFFFFF00, 0x100, NULL},
	};
	static const uint64_t expected[][2] = {{0x10000000, 0x100}, {0x20000000, 0x40}, {0xFFFFFF00, 0x100}};
	struct image *image =
	        elf_writer_image(&(struct elf_writer_plan){ELF_SECTIONS(sections), ELF_SYMBOLS(function)});

	assert_int_equal(image->memory_count, COUNT(expected));
	for (size_t i = 0; i < COUNT(expected); i++) {
		assert_int_equal(image->memory[i].address, expected[i][0]);
		assert_int_equal(image->memory[i].size, expected[i][1]);
	}
}

TEST(code_is_found_by_any_address_in_it)
{
	static const struct elf_writer_section sections[] = {
	        {".last", SHT_PROGBITS, CODE_FLAGS, 0xFFFFFF00, 0x100, NULL},
	        TEXT,
	        {".next", SHT_PROGBITS, CODE_FLAGS, 0x1100, 0x10, NULL},
	};
	static const struct elf_writer_symbol symbols[] = {{"f", 0x1010, 0x20, STB_GLOBAL, STT_FUNC, 2}};
	struct image *image = elf_writer_image(&(struct elf_writer_plan){ELF_SECTIONS(sections), ELF_SYMBOLS(symbols)});

	assert_null(image_code_at(image, 0xFFF));
	assert_string_equal(image_code_at(image, 0x1000)->name, ".text");
	assert_string_equal(image_code_at(image, 0x10FF)->name, ".text");
	assert_string_equal(image_code_at(image, 0x1100)->name, ".next");
	assert_null(image_code_at(image, 0x1110));
	assert_string_equal(image_code_at(image, 0xFFFFFFFF)->name, ".last");
	assert_null(image_code_at(image, 0x100000000));
}

TEST(global_symbol_is_preferred_by_name)
{
	static const struct elf_writer_symbol symbols[] = {
	        {"name", 0x1010, 2, STB_LOCAL, STT_FUNC, 1},          {"name", 0x1020, 2, STB_WEAK, STT_FUNC, 1},
	        {"name", 0x1030, 2, STB_GLOBAL, STT_FUNC, 1},         {"name", 0x1040, 2, STB_LOCAL, STT_FUNC, 1},
	        {"name", 0x1050, 2, STB_GLOBAL, STT_FUNC, SHN_UNDEF},
	};
	struct image *image = elf_writer_image(&(struct elf_writer_plan){ELF_SYMBOLS(symbols)});
	uint64_t value = 0;

	assert_true(image_symbol(image, "name", &value));
	assert_int_equal(value, 0x1030);
}
