/* SPDX-License-Identifier: MIT */
/* Interrupt entries with instrumentation are found in what a real compiler makes of them. */
#include "workshop.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct found {
	char names[256];
};

static void take_name(void *context, const struct image_function *function)
{
	struct found *found = context;
	size_t length = strlen(found->names);
	snprintf(found->names + length, sizeof found->names - length, "%s ", function->name);
}

static struct found entries_of(const char *name)
{
	struct image *image = workshop_image(name);
	struct found found = {.names = ""};
	image_instrumented_interrupts(image, take_name, &found);
	image_close(image);
	return found;
}

/* flags choose the ISA, the kind of call and the instrumentation; distance how far away the hooks are. */
static void build(const char *flags, const char *distance)
{
	char command[512];
	snprintf(command, sizeof command,
	         "riscv64-unknown-elf-gcc -O2 -nostdlib -mcmodel=medany -Wl,--no-warn-rwx-segments %s -DDISTANCE=%s "
	         "-T $FIRMWARE/riscv.ld $FIRMWARE/interrupts.c $FIRMWARE/hooks.S -o $WORKSHOP/riscv.elf",
	         flags, distance);
	workshop_run(command);
}

static void expect_instruction(const char *pattern)
{
	char command[256];
	snprintf(command, sizeof command,
	         "riscv64-unknown-elf-objdump -d -M no-aliases $WORKSHOP/riscv.elf | grep -q '%s'", pattern);
	workshop_run(command);
}

static void compressed_call_of_the_hook_is_found(void **state)
{
	(void)state;
	build("-march=rv32imac -mabi=ilp32 -pg", "0");
	expect_instruction("c.jal.*<_mcount>");
	assert_string_equal(entries_of("riscv.elf").names, "instrumented_entry ");
}

static void near_call_of_the_hook_is_found(void **state)
{
	(void)state;
	build("-march=rv64imac -mabi=lp64 -pg", "0x8000");
	expect_instruction("jal\tra.*<_mcount>");
	assert_string_equal(entries_of("riscv.elf").names, "instrumented_entry ");
	build("-march=rv32ima -mabi=ilp32 -pg", "0");
	expect_instruction("jal\tra.*<_mcount>");
	assert_string_equal(entries_of("riscv.elf").names, "instrumented_entry ");
}

static void far_call_of_the_hook_is_found(void **state)
{
	(void)state;
	build("-march=rv32imac -mabi=ilp32 -pg", "0x200000");
	expect_instruction("jalr\tra.*<_mcount>");
	assert_string_equal(entries_of("riscv.elf").names, "instrumented_entry ");
	build("-march=rv64imac -mabi=lp64 -pg", "0x200000");
	expect_instruction("jalr\tra.*<_mcount>");
	assert_string_equal(entries_of("riscv.elf").names, "instrumented_entry ");
}

static void instrument_functions_is_found_too(void **state)
{
	(void)state;
	build("-march=rv32imac -mabi=ilp32 -finstrument-functions", "0");
	assert_string_equal(entries_of("riscv.elf").names, "instrumented_entry ");
}

static void nothing_is_found_without_instrumentation(void **state)
{
	(void)state;
	build("-march=rv32imac -mabi=ilp32", "0");
	assert_string_equal(entries_of("riscv.elf").names, "");
}

static void nothing_is_found_on_arm(void **state)
{
	(void)state;
	workshop_run("arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -O2 -nostdlib -T $FIRMWARE/arm.ld "
	             "-o $WORKSHOP/arm.elf $FIRMWARE/arm.c $FIRMWARE/labels.S");
	assert_string_equal(entries_of("arm.elf").names, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(compressed_call_of_the_hook_is_found),
	        cmocka_unit_test(near_call_of_the_hook_is_found),
	        cmocka_unit_test(far_call_of_the_hook_is_found),
	        cmocka_unit_test(instrument_functions_is_found_too),
	        cmocka_unit_test(nothing_is_found_without_instrumentation),
	        cmocka_unit_test(nothing_is_found_on_arm),
	};
	return cmocka_run_group_tests(tests, workshop_open, workshop_close);
}
