/* SPDX-License-Identifier: MIT */
/* The recorder's code, by the marks of the linker fragment or by names. */
#include "elf_writer.h"
#include "test.h"

#include <elf.h>

#define FUNCTION(name, address, size)                                                \
	{                                                                            \
		name, ELF_WRITER_TEXT + (address) + 1, size, STB_GLOBAL, STT_FUNC, 1 \
	}
#define LABEL(name, address)                                                   \
	{                                                                      \
		name, ELF_WRITER_TEXT + (address), 0, STB_LOCAL, STT_NOTYPE, 1 \
	}

static void assert_ranges(const struct image *image, size_t count, const uint64_t (*ranges)[2])
{
	assert_int_equal(image->recorder_count, count);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(image->recorder[i].start, ELF_WRITER_TEXT + ranges[i][0]);
		assert_int_equal(image->recorder[i].end, ELF_WRITER_TEXT + ranges[i][1]);
	}
}

TEST(functions_of_the_recorder_are_known_by_their_names)
{
	static const struct elf_writer_symbol symbols[] = {
	        FUNCTION("work", 0x00, 0x10),
	        FUNCTION("bareprof_arc", 0x40, 0x10),
	        FUNCTION("__gnu_mcount_nc", 0x10, 0x08),
	        FUNCTION("TIM5_IRQHandler", 0x60, 0x08),
	        FUNCTION("bareprof_isr_TIM5_IRQHandler", 0x60, 0x08),
	        FUNCTION("__cyg_profile_func_exit", 0x50, 0x04),
	        FUNCTION("my_bareprof_user", 0x70, 0x10),
	        FUNCTION("bareprof_acknowledged.lto_priv.0", 0x80, 0x04),
	        FUNCTION("mcount_of_people", 0x90, 0x04),
	};
	const struct image *image = elf_writer_image(&(struct elf_writer_plan){ELF_SYMBOLS(symbols)});

	/* The two that touch are one range. */
	assert_ranges(image, 4, (const uint64_t[][2]){{0x10, 0x18}, {0x40, 0x54}, {0x60, 0x68}, {0x80, 0x84}});
	assert_true(image_is_recorder(image, ELF_WRITER_TEXT + 0x10));
	assert_true(image_is_recorder(image, ELF_WRITER_TEXT + 0x53));
	assert_false(image_is_recorder(image, ELF_WRITER_TEXT + 0x54));
	assert_false(image_is_recorder(image, ELF_WRITER_TEXT));
	assert_false(image_is_recorder(image, ELF_WRITER_TEXT + 0x70));
}

TEST(marks_of_the_fragment_prevail_over_names)
{
	static const struct elf_writer_symbol symbols[] = {
	        LABEL("bareprof_code_start", 0x20),
	        LABEL("bareprof_code_end", 0x40),
	        FUNCTION("bareprof_timer_remaining", 0x60, 0x10),
	};
	const struct image *image = elf_writer_image(&(struct elf_writer_plan){ELF_SYMBOLS(symbols)});

	assert_ranges(image, 1, (const uint64_t[][2]){{0x20, 0x40}});
}

/* Another profiler may have defined the hook. */
TEST(firmware_without_a_recorder_has_no_ranges)
{
	static const struct elf_writer_symbol symbols[] = {
	        FUNCTION("work", 0x00, 0x10),
	        FUNCTION("bareprof_of_no_size", 0x40, 0),
	        FUNCTION("__gnu_mcount_nc", 0x50, 0x10),
	};
	const struct image *image = elf_writer_image(&(struct elf_writer_plan){ELF_SYMBOLS(symbols)});

	assert_int_equal(image->recorder_count, 0);
	assert_false(image_is_recorder(image, ELF_WRITER_TEXT + 0x20));
}
