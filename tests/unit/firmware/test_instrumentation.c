/* SPDX-License-Identifier: MIT */
/* Functions whose callers are spurious, in code from real compilers. */
#include "test.h"
#include "workshop.h"

#include <stdio.h>
#include <string.h>

struct found {
	char names[256];      /* of interrupt entries */
	char callerless[256]; /* of functions that pass no return address */
	char linkless[256];   /* of functions that overwrite lr before */
};

static void add_name(void *context, const struct image_function *function, enum image_spurious_caller reason)
{
	struct found *found = context;
	char *names = reason == IMAGE_INTERRUPT_ENTRY     ? found->names
	              : reason == IMAGE_NO_RETURN_ADDRESS ? found->callerless
	                                                  : found->linkless;
	size_t length = strlen(names);

	snprintf(names + length, sizeof found->names - length, "%s ", function->name);
}

static struct found entries_of(const char *name)
{
	struct image *image = workshop_image(name);
	struct found found = {.names = ""};

	image_find_spurious_callers(image, add_name, &found);
	return found;
}

/* flags select the ISA, the kind of call and the instrumentation; distance is how far away the hooks are. */
static void build(const char *flags, const char *distance)
{
	workshop_run(
	        "riscv64-unknown-elf-gcc -O2 -nostdlib -mcmodel=medany -Wl,--no-warn-rwx-segments %s -DDISTANCE=%s "
	        "-T $FIRMWARE/riscv.ld $FIRMWARE/instrumentation.c $FIRMWARE/hooks.S -lgcc -o $WORKSHOP/riscv.elf",
	        flags, distance);
}

ALL_TESTS(workshop_open, workshop_close);

TEST(call_to_the_hook_is_found_in_each_form)
{
	static const struct {
		const char *flags, *distance, *instruction;
	} cases[] = {
	        {"-march=rv32imac -mabi=ilp32 -pg", "0", "c.jal.*<_mcount>"},
	        {"-march=rv64imac -mabi=lp64 -pg", "0x8000", "jal\tra.*<_mcount>"},
	        {"-march=rv32ima -mabi=ilp32 -pg", "0", "jal\tra.*<_mcount>"},
	        {"-march=rv32imac -mabi=ilp32 -pg", "0x200000", "jalr\tra.*<_mcount>"},
	        {"-march=rv64imac -mabi=lp64 -pg", "0x200000", "jalr\tra.*<_mcount>"},
	        {"-march=rv32imac -mabi=ilp32 -finstrument-functions", "0", "<__cyg_profile_func_enter>"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		print_message("%s, %s\n", cases[i].flags, cases[i].distance);
		build(cases[i].flags, cases[i].distance);
		workshop_run("riscv64-unknown-elf-objdump -d -M no-aliases $WORKSHOP/riscv.elf | grep -q '%s'",
		             cases[i].instruction);
		assert_string_equal(entries_of("riscv.elf").names, "instrumented_entry ");
	}
}

static void build_with_clang(const char *flags)
{
	workshop_run("clang --target=riscv32-unknown-elf %s -c $FIRMWARE/instrumentation.c -o $WORKSHOP/clang.o && "
	             "riscv64-unknown-elf-gcc -march=rv32imac -mabi=ilp32 -mcmodel=medany -nostdlib -DDISTANCE=0 "
	             "-Wl,--no-warn-rwx-segments -T $FIRMWARE/riscv.ld $WORKSHOP/clang.o $FIRMWARE/hooks.S "
	             "-o $WORKSHOP/riscv.elf",
	             flags);
}

TEST(call_to_the_hook_without_return_address_is_found)
{
	build_with_clang("-march=rv32imac -O2 -Xclang -pg");
	assert_string_equal(entries_of("riscv.elf").callerless, "instrumented_function ");
	build_with_clang("-march=rv32imac -O0 -Xclang -pg");
	assert_string_equal(entries_of("riscv.elf").callerless, "instrumented_function ");
}

TEST(call_to_the_hook_with_return_address_is_not_found)
{
	static const char *const flags[] = {
	        "-march=rv32imac -mabi=ilp32 -pg -O2",
	        "-march=rv32imac -mabi=ilp32 -pg -O0",
	        "-march=rv64imac -mabi=lp64 -pg -Os",
	        "-march=rv32ima -mabi=ilp32 -pg -O2",
	        "-march=rv64ima -mabi=lp64 -pg -O0",
	        "-march=rv32imac -mabi=ilp32 -pg -msave-restore",
	        "-march=rv32imac -mabi=ilp32 -finstrument-functions",
	};

	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
		build(flags[i], "0");
		assert_string_equal(entries_of("riscv.elf").callerless, "");
	}
	build_with_clang("-march=rv32imac -O2 -finstrument-functions-after-inlining");
	assert_string_equal(entries_of("riscv.elf").callerless, "");
}

TEST(nothing_is_found_without_instrumentation)
{
	build("-march=rv32imac -mabi=ilp32", "0");
	assert_string_equal(entries_of("riscv.elf").names, "");
}

static struct found entries_on_arm(const char *flags)
{
	workshop_run("arm-none-eabi-gcc -mthumb -O2 %s -nostdlib -T $FIRMWARE/arm.ld -o $WORKSHOP/arm.elf "
	             "$FIRMWARE/registers.c",
	             flags);
	return entries_of("arm.elf");
}

TEST(function_that_overwrites_lr_before_the_hook_is_found)
{
	struct found found = entries_on_arm("-mcpu=cortex-m0 -pg");

	assert_string_equal(found.linkless, "many_registers ");
	assert_string_equal(found.callerless, "");
	assert_string_equal(found.names, "");
}

TEST(function_with_its_return_address_in_lr_is_not_found)
{
	static const char *const flags[] = {
	        "-mcpu=cortex-m0 -pg -ffixed-r8 -ffixed-r9 -ffixed-r10 -ffixed-r11",
	        "-mcpu=cortex-m0 -finstrument-functions",
	        "-mcpu=cortex-m0",
	        "-mcpu=cortex-m3 -pg",
	        "-mcpu=cortex-m3 -pg -O0 -fno-omit-frame-pointer",
	};

	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
		print_message("%s\n", flags[i]);
		assert_string_equal(entries_on_arm(flags[i]).linkless, "");
	}
}
