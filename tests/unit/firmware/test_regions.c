/* SPDX-License-Identifier: MIT */
/* Regions of memory with code: the executable segments of linked ELFs. */
#include "test.h"
#include "workshop.h"

#include <inttypes.h>

static int build(void **state)
{
	return workshop_open_with(
	        "cd $WORKSHOP && for section in text.a text.b ram text; do printf '.section .%s,\"ax\",%%progbits\\n"
	        ".type f_%s, %%function\\n.global f_%s\\nf_%s: .space 32\\n.size f_%s, 32\\n' "
	        "$section $section $section $section $section; done >a.s && arm-none-eabi-as a.s -o a.o");
}

/* Links with the output sections of a script, which places them by address. */
static struct image *link_with(const char *sections)
{
	workshop_run("cd $WORKSHOP && echo 'SECTIONS { %s }' >a.ld && "
	             "arm-none-eabi-ld --no-warn-rwx-segments -T a.ld a.o -o a.elf",
	             sections);
	return workshop_image("a.elf");
}

static void assert_region(const struct image *image, size_t index, const char *name, uint64_t start, uint64_t end)
{
	const struct image_region *region = &image->regions[index];

	assert_true(index < image->region_count);
	assert_string_equal(region->name, name);
	if (region->start != start || region->end != end)
		fail_msg("%s is at 0x%" PRIx64 "-0x%" PRIx64, name, region->start, region->end);
}

ALL_TESTS(build, workshop_close);

TEST(sections_of_one_segment_are_one_region)
{
	struct image *image = link_with(".text.a 0x8000 : { *(.text.a) } .text.b 0x8040 : { *(.text.b) } "
	                                ".text 0x8080 : { *(.text) } .ram 0x80c0 : { *(.ram) }");

	assert_int_equal(image->region_count, 1);
	assert_region(image, 0, ".text", 0x8000, 0x80e0);
}

TEST(segments_are_regions_in_order_of_address)
{
	struct image *image = link_with(".ram 0x20000000 : { *(.ram) } .text 0x8000 : { *(.text) } "
	                                ".big 0x10000000 : { *(.text.a) *(.text.b) }");

	assert_int_equal(image->region_count, 3);
	assert_region(image, 0, ".text", 0x8000, 0x8020);
	assert_region(image, 1, ".big", 0x10000000, 0x10000040);
	assert_region(image, 2, ".ram", 0x20000000, 0x20000020);
}

TEST(largest_section_names_a_region_without_text)
{
	struct image *image =
	        link_with(".small 0x8000 : { *(.ram) } .large 0x8020 : { *(.text) *(.text.a) *(.text.b) }");

	assert_int_equal(image->region_count, 1);
	assert_region(image, 0, ".large", 0x8000, 0x8080);
}

/* e_phnum, at offset 44, is 0: no segment separates the sections. */
TEST(without_segments_there_is_one_region)
{
	link_with(".ram 0x20000000 : { *(.ram) } .text 0x8000 : { *(.text) *(.text.a) *(.text.b) }");
	workshop_run("cd $WORKSHOP && printf '\\0\\0' | dd of=a.elf bs=1 seek=44 conv=notrunc status=none");
	struct image *image = workshop_image("a.elf");
	assert_int_equal(image->region_count, 1);
	assert_region(image, 0, ".text", 0x8000, 0x20000020);
}

/* Twenty segments, far from each other. */
TEST(last_region_extends_over_the_rest)
{
	workshop_run(
	        "cd $WORKSHOP && { echo 'SECTIONS {'; for i in $(seq 10 29); do "
	        "echo \".s$i 0x${i}000000 : { *(.s$i) }\"; done; echo '}'; } >many.ld && for i in $(seq 10 29); do "
	        "printf '.section .s%%s,\"ax\",%%%%progbits\\n.type f%%s, %%%%function\\nf%%s: .space 16\\n"
	        ".size f%%s, 16\\n' $i $i $i $i; done >many.s && arm-none-eabi-as many.s -o many.o && "
	        "arm-none-eabi-ld -T many.ld many.o -o many.elf");
	struct image *image = workshop_image("many.elf");
	assert_int_equal(image->code_count, 20);
	assert_int_equal(image->region_count, IMAGE_REGIONS_MAX);
	assert_region(image, 0, ".s10", 0x10000000, 0x10000010);
	assert_region(image, IMAGE_REGIONS_MAX - 1, ".s25", 0x25000000, 0x29000010);
}
