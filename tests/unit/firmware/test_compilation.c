/* SPDX-License-Identifier: MIT */
/* The compilers and options in the DWARF of real compilers. */
#include "test.h"
#include "workshop.h"

static struct image_compilation compilation_of(const char *command)
{
	workshop_run("%s -nostdlib -T $FIRMWARE/arm.ld -o $WORKSHOP/arm.elf", command);
	return image_compilation(workshop_image("arm.elf"));
}

#define GCC "arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -O2 $FIRMWARE/registers.c "

ALL_TESTS(workshop_open, workshop_close);

TEST(options_of_gcc_are_read)
{
	static const struct {
		const char *command;
		struct image_compilation expected;
	} cases[] = {
	        {GCC "-g", {.is_known = true}},
	        {GCC "-g -pg", {.is_known = true, .with_hooks = true}},
	        {GCC "-g -finstrument-functions", {.is_known = true, .with_hooks = true}},
	        {GCC "-g -flto", {.is_known = true, .with_lto = true}},
	        {GCC "-g -flto -pg", {.is_known = true, .with_hooks = true, .with_lto = true}},
	        {GCC, {.is_known = false}},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct image_compilation found = compilation_of(cases[i].command);

		print_message("%s\n", cases[i].command);
		assert_memory_equal(&found, &cases[i].expected, sizeof found);
	}
}

TEST(clang_is_known_by_its_name)
{
	workshop_run("clang --target=thumbv7m-none-eabi -g -O2 -pg -c $FIRMWARE/registers.c -o $WORKSHOP/clang.o");
	struct image_compilation found = compilation_of("arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb $WORKSHOP/clang.o");

	assert_true(found.is_known && found.with_clang);
	assert_false(found.with_hooks || found.with_lto);
}

TEST(assembler_is_not_a_compiler)
{
	workshop_run("arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -g -c $FIRMWARE/labels.S -o $WORKSHOP/labels.o");
	assert_false(compilation_of("arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -O2 $FIRMWARE/arm.c $WORKSHOP/labels.o")
	                     .is_known);
}
