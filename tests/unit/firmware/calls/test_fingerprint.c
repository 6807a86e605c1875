/* SPDX-License-Identifier: MIT */
/* Fingerprints of real code, linked in different ways, and the bits that they exclude. */
#include "../workshop.h"
#include "code.h"
#include "firmware/calls/fingerprint.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* All functions of an image, by name, then by hash. */
struct print {
	const char *name;
	struct fingerprint fingerprint;
};

struct prints {
	struct image *image;
	struct print *items;
	size_t count;
};

static int compare_prints(const void *left, const void *right)
{
	const struct print *a = left, *b = right;
	int by_name = strcmp(a->name, b->name);

	if (by_name != 0)
		return by_name;
	return (a->fingerprint.hash > b->fingerprint.hash) - (a->fingerprint.hash < b->fingerprint.hash);
}

static struct prints prints_of(struct image *image)
{
	size_t count = image->function_count;
	struct prints prints = {.image = image, .items = release_later(calloc(count, sizeof *prints.items), free)};
	struct fingerprint *fingerprints = release_later(calloc(count, sizeof *fingerprints), free);
	bool *wanted = release_later(malloc(count), free);

	assert_true(prints.items != NULL && fingerprints != NULL && wanted != NULL);
	memset(wanted, true, count);
	assert_true(fingerprints_find(image, wanted, fingerprints));
	for (size_t i = 0; i < count; i++)
		if (image->functions[i].first == i && image->functions[i].inlined_into == IMAGE_NOT_INLINED)
			prints.items[prints.count++] = (struct print){image->functions[i].name, fingerprints[i]};
	qsort(prints.items, prints.count, sizeof *prints.items, compare_prints);
	return prints;
}

/* Both ELFs have the same functions with the same fingerprints; returns their number. */
static size_t expect_same(const char *left, const char *right)
{
	struct prints a = prints_of(workshop_image(left)), b = prints_of(workshop_image(right));
	size_t count = a.count;

	assert_int_equal(count, b.count);
	for (size_t i = 0; i < count; i++) {
		assert_string_equal(a.items[i].name, b.items[i].name);
		if (a.items[i].fingerprint.hash != b.items[i].fingerprint.hash ||
		    a.items[i].fingerprint.instructions != b.items[i].fingerprint.instructions)
			fail_msg("%s differs between %s and %s", a.items[i].name, left, right);
	}
	return count;
}

/* Functions with a fingerprint, and different fingerprints. */
struct tally {
	size_t functions, hashes;
};

static int compare_hashes(const void *left, const void *right)
{
	const struct print *a = left, *b = right;

	return (a->fingerprint.hash > b->fingerprint.hash) - (a->fingerprint.hash < b->fingerprint.hash);
}

static struct tally tally_of(const char *elf)
{
	struct prints prints = prints_of(workshop_image(elf));
	struct tally tally = {0, 0};
	uint64_t last = 0;

	qsort(prints.items, prints.count, sizeof *prints.items, compare_hashes);
	for (size_t i = 0; i < prints.count; i++) {
		const struct fingerprint *fingerprint = &prints.items[i].fingerprint;

		if (fingerprint->instructions < FINGERPRINT_INSTRUCTIONS_MIN)
			continue;
		tally.functions++;
		tally.hashes += fingerprint->hash != last;
		last = fingerprint->hash;
	}
	return tally;
}

#define NEWLIB(options, archives)                                                                                   \
	"arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -nostdlib -static -Wl,-e,0 -Wl,--unresolved-symbols=ignore-all " \
	"-Wl,--allow-multiple-definition -Wl,--no-warnings " options " -Wl,--whole-archive " archives " -o "

ALL_TESTS(workshop_open, workshop_close);

TEST(newlib_has_the_same_fingerprints_in_every_link)
{
	workshop_run(NEWLIB("-Wl,-Ttext=0x8000", "-lc -lm -lgcc") "$WORKSHOP/first.elf");
	workshop_run(NEWLIB("-Wl,-Ttext=0x20003000 -Wl,-Tdata=0x1000000 -Wl,--sort-section=alignment",
	                    "-lgcc -lm -lc") "$WORKSHOP/second.elf");
	assert_in_range(expect_same("first.elf", "second.elf"), 2500, 10000);
}

TEST(nearly_all_newlib_functions_have_unique_fingerprints)
{
	workshop_run(NEWLIB("-Wl,-Ttext=0x8000", "-lc") "$WORKSHOP/first.elf");
	struct tally tally = tally_of("first.elf");
	assert_true(tally.hashes * 3 > tally.functions * 2);
}

/* Compilers and linkers. */
static const struct {
	const char *compile, *link;
} toolchains[] = {
        {"arm-none-eabi-g++ -mthumb -mcpu=cortex-m0", "arm-none-eabi-gcc -mthumb -mcpu=cortex-m0"},
        {"arm-none-eabi-g++ -mthumb -mcpu=cortex-m3", "arm-none-eabi-gcc -mthumb -mcpu=cortex-m3"},
        {"arm-none-eabi-g++ -mthumb -mcpu=cortex-m33 -mslow-flash-data", "arm-none-eabi-gcc -mthumb -mcpu=cortex-m33"},
        {"arm-none-eabi-g++ -mthumb -mcpu=cortex-m55 -mfloat-abi=hard",
         "arm-none-eabi-gcc -mthumb -mcpu=cortex-m55 -mfloat-abi=hard"},
        {"clang --target=arm-none-eabi -mcpu=cortex-m4 -fshort-enums", "arm-none-eabi-gcc -mthumb -mcpu=cortex-m4"},
        {"riscv64-unknown-elf-g++ -march=rv32i -mabi=ilp32", "riscv64-unknown-elf-gcc -march=rv32i -mabi=ilp32"},
        {"riscv64-unknown-elf-g++ -march=rv32imac -mabi=ilp32 -msave-restore",
         "riscv64-unknown-elf-gcc -march=rv32imac -mabi=ilp32"},
        {"riscv64-unknown-elf-g++ -march=rv64imac -mabi=lp64 -mcmodel=medany",
         "riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64"},
        {"riscv64-unknown-elf-g++ -march=rv64imac -mabi=lp64 -fpie",
         "riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64"},
};

#define COMPILE                                                                                       \
	" -x c++ -std=c++17 -ffreestanding -fno-exceptions -fno-rtti -fno-threadsafe-statics -DNEAR " \
	"-fno-stack-protector -ffunction-sections -fdata-sections -c tests/calls/sample.cpp -o $WORKSHOP/sample.o"
#define LINK                                                                                                     \
	" -nostdlib -Wl,--entry=start -Wl,--no-warnings -Wl,-z,noexecstack -Wl,--unresolved-symbols=ignore-all " \
	"$WORKSHOP/sample.o "

TEST(relinked_functions_keep_their_fingerprints)
{
	static const char *const levels[] = {" -O0", " -O2", " -Os"};

	for (size_t i = 0; i < COUNT(toolchains); i++) {
		for (size_t j = 0; j < COUNT(levels); j++) {
			workshop_run("%s%s" COMPILE, toolchains[i].compile, levels[j]);
			workshop_run("%s" LINK "-Wl,-Ttext=0x600000 -o $WORKSHOP/first.elf", toolchains[i].link);
			workshop_run("%s" LINK "-Wl,-Ttext=0x6b001200 -Wl,--sort-section=name -o $WORKSHOP/second.elf",
			             toolchains[i].link);
			assert_in_range(expect_same("first.elf", "second.elf"), 10, 100);
		}
	}
}

/* The fingerprint of function f with this code. */
static struct fingerprint fingerprint_of(unsigned machine, const char *hexadecimal)
{
	struct code code = {.machine = machine, .class = ELFCLASS32};

	code.f_size = code_put(&code, CODE_BASE, hexadecimal) - CODE_BASE;
	struct image *image = code_image(&code);
	const bool wanted[] = {true, false, false};
	struct fingerprint fingerprints[COUNT(wanted)];
	assert_int_equal(image->function_count, COUNT(wanted));
	assert_true(fingerprints_find(image, wanted, fingerprints));
	assert_int_equal(fingerprints[1].instructions, 0);
	return fingerprints[0];
}

static const struct {
	const char *title;
	unsigned machine;
	const char *left, *right;
	bool is_same;
} codes[] = {
        {"BL to other places", EM_ARM, "f000 f81e", "f000 f83e", true},
        {"BL and no BL", EM_ARM, "f000 f81e", "f000 b81e", false},
        {"LDR literal at other places", EM_ARM, "4801", "4802", true},
        {"LDR literal to another register", EM_ARM, "4801", "4901", false},
        {"LDRB literal, VLDR literal, LDRD literal", EM_ARM, "f89f 0008 ed9f 0a02 e9df 0102",
         "f81f 0004 ed9f 0a03 e9df 0104", true},
        {"ADR, ADR.W", EM_ARM, "a001 f20f 0004", "a002 f20f 0008", true},
        {"MOVS of another number", EM_ARM, "2001", "2002", false},
        {"MOVW and MOVT", EM_ARM, "f241 0040 f2c0 0001", "f241 0080 f2c2 0000", true},
        {"MOVW and MOVT, others between", EM_ARM, "f241 0040 2101 f2c0 0001", "f241 0080 2101 f2c2 0000", true},
        {"MOVW alone", EM_ARM, "f241 0040", "f241 0080", false},
        {"B<c> within the function", EM_ARM, "d001 bf00 bf00 bf00", "d000 bf00 bf00 bf00", false},
        {"CBZ out of the function", EM_ARM, "b3f0", "b3f8", true},
        {"SVC with another number", EM_ARM, "df01", "df02", false},
        {"MSR of another register", EM_ARM, "f380 8808", "f380 8809", false},
        {"AUIPC and JALR, JAL", EM_RISCV, "0097 0000 80e7 0400", "00ef 0400", true},
        {"JAL, C.JAL", EM_RISCV, "00ef 0400", "2081", true},
        {"LUI and ADDI, ADDI to gp", EM_RISCV, "17b7 0000 8793 0407", "8793 8041", true},
        {"LUI and LW, LW from gp", EM_RISCV, "17b7 0000 a503 0407", "a503 8041", true},
        {"LW from gp, from zero", EM_RISCV, "a503 8041", "2503 0400", true},
        {"LUI and SW to another place", EM_RISCV, "17b7 0000 a023 04a7", "27b7 0000 a223 08a7", true},
        {"LUI alone", EM_RISCV, "17b7 0000", "27b7 0000", false},
        {"LUI of a register that is written between", EM_RISCV, "17b7 0000 a783 0005 a503 0407",
         "17b7 0000 a783 0005 a503 0447", false},
        {"ADDI of another number", EM_RISCV, "0793 0410", "0793 0420", false},
        {"the return after a far call", EM_RISCV, "0097 0000 80e7 0400 8067 0000", "00ef 0400 8067 0000", true},
};

TEST(only_address_bits_are_excluded)
{
	for (size_t i = 0; i < COUNT(codes); i++) {
		struct fingerprint left = fingerprint_of(codes[i].machine, codes[i].left);
		struct fingerprint right = fingerprint_of(codes[i].machine, codes[i].right);

		if ((left.hash == right.hash) != codes[i].is_same)
			fail_msg("%s: %s", codes[i].title, codes[i].is_same ? "differ" : "are the same");
	}
}

TEST(data_among_code_does_not_count)
{
	static const struct elf_writer_symbol symbols[] = {{"$t", 0x1000, 0, STB_LOCAL, STT_NOTYPE, 1},
	                                                   {"$d", 0x1004, 0, STB_LOCAL, STT_NOTYPE, 1},
	                                                   {"$t", 0x1040, 0, STB_LOCAL, STT_NOTYPE, 1},
	                                                   {NULL, 0, 0, 0, 0, 0}};
	struct fingerprint fingerprints[2][3];

	for (size_t i = 0; i < 2; i++) {
		struct code code = {.machine = EM_ARM, .class = ELFCLASS32, .symbols = symbols};

		code_put(&code, CODE_BASE, i == 0 ? "4800 4770 1234 5678" : "4800 4770 abcd 0000");
		struct image *image = code_image(&code);
		const bool wanted[] = {true, true, true};
		assert_true(fingerprints_find(image, wanted, fingerprints[i]));
	}
	assert_int_equal(fingerprints[0][0].hash, fingerprints[1][0].hash);
	assert_int_equal(fingerprints[0][0].instructions, 2);
}

/* The fingerprint of a function that encloses another one covers both of its extents. */
TEST(all_extents_of_a_function_count)
{
	static const struct elf_writer_symbol symbols[] = {{"inner", 0x1010, 0x10, STB_GLOBAL, STT_FUNC, 1},
	                                                   {NULL, 0, 0, 0, 0, 0}};
	uint64_t hashes[3];

	for (size_t i = 0; i < COUNT(hashes); i++) {
		struct code code = {.machine = EM_ARM, .class = ELFCLASS32, .symbols = symbols};

		code_put(&code, i == 1 ? 0x1010 : 0x1020, i == 0 ? "2000" : "2001");
		struct image *image = code_image(&code);
		bool wanted[8] = {true};
		struct fingerprint fingerprints[8];
		assert_int_equal(image->function_count, 5);
		assert_true(fingerprints_find(image, wanted, fingerprints));
		assert_int_equal(fingerprints[0].instructions, 24);
		hashes[i] = fingerprints[0].hash;
	}
	assert_true(hashes[0] != hashes[2] && hashes[0] != hashes[1]);
}

/* The containing function keeps only half of its first instruction. */
TEST(split_inlined_code_counts_with_its_function)
{
	static const char *const names[] = {"innermost", "middle"};

	workshop_run("riscv64-unknown-elf-gcc -march=rv32i -mabi=ilp32 -g -O2 -nostdlib -Wl,-e,outer "
	             "$FIRMWARE/nested.c -o $WORKSHOP/nested.elf");
	struct prints before = prints_of(workshop_image("nested.elf"));
	struct image *image = workshop_image("nested.elf");
	assert_success(image_split_inlined(image, names, COUNT(names), &failure), &failure);
	struct prints after = prints_of(image);
	assert_true(image->function_count > before.image->function_count);
	assert_int_equal(before.count, 1);
	assert_int_equal(after.count, 1);
	assert_int_equal(before.items[0].fingerprint.hash, after.items[0].fingerprint.hash);
}

TEST(without_a_decoder_there_are_no_fingerprints)
{
	struct code code = {.machine = EM_MIPS, .class = ELFCLASS32};
	struct image *image = code_image(&code);
	const bool wanted[] = {true, true, true};
	struct fingerprint fingerprints[3];

	assert_false(fingerprints_find(image, wanted, fingerprints));
	assert_int_equal(fingerprints[0].instructions, 0);
}
