/* SPDX-License-Identifier: MIT */
/* Splitting inlined code into functions of its own, compared with the chain that image_inlines() finds for each
 * address. */
#include "test.h"
#include "workshop.h"

#include <string.h>
#include <time.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define INLINES_MAX  16
#define ENTRY        2 /* bytes of its first instruction, which a function keeps */

#define BUILD_ARM                                                                                    \
	"arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -g -O2 -nostdlib -Wl,-e,outer -Wl,-Ttext=0x8000 " \
	"$FIRMWARE/nested_inlining.c -o $WORKSHOP/"

static int build(void **state)
{
	return workshop_open_with(
	        BUILD_ARM "gcc.elf && " BUILD_ARM "dwarf2.elf -gdwarf-2 && "
	                  "clang --target=thumbv7m-none-eabi -g -O2 -c -ffreestanding $FIRMWARE/nested_inlining.c -o "
	                  "$WORKSHOP/clang.o && arm-none-eabi-ld -e outer -Ttext=0x8000 $WORKSHOP/clang.o -o "
	                  "$WORKSHOP/clang.elf && arm-none-eabi-strip -g -o $WORKSHOP/bare.elf $WORKSHOP/gcc.elf");
}

static const char *const elfs[] = {"gcc.elf", "dwarf2.elf", "clang.elf"};

/* Divides the code and checks the invariants of every division. */
static void split(struct image *image, const char *const *names, size_t count)
{
	assert_success(image_split_inlined(image, names, count, &failure), &failure);
	assert_int_equal(image->rule, IMAGE_BY_SIZE);
	for (size_t i = 0; i < image->function_count; i++) {
		const struct image_function *function = &image->functions[i];

		assert_true(function->start < function->end);
		assert_true(i == 0 || function[-1].end <= function->start);
		assert_true(function->first <= i && image->functions[function->first].first == function->first);
		assert_string_equal(image->functions[function->first].name, function->name);
		assert_int_equal(image->functions[function->first].inlined_into, function->inlined_into);
		if (function->inlined_into != IMAGE_NOT_INLINED)
			assert_int_equal(image->functions[function->inlined_into].first, function->inlined_into);
		assert_ptr_equal(image_function_at(image, function->end - 1), function);
	}
}

#define SPLIT(image, ...)                                          \
	do {                                                       \
		static const char *const wanted[] = {__VA_ARGS__}; \
		split(image, wanted, COUNT(wanted));               \
	} while (0)

/* The inlined functions at address that have one of these names, innermost first, then the function itself. */
static size_t wanted_at(const struct image *image, uint64_t address, const char *const *names, size_t name_count,
                        const char *chain[INLINES_MAX])
{
	struct image_inline inlines[INLINES_MAX];
	size_t inline_count = image_inlines(image, address, inlines, INLINES_MAX), count = 0;

	for (size_t i = 0; i < inline_count; i++) {
		bool is_wanted = i + 1 == inline_count;

		for (size_t j = 0; j < name_count; j++)
			is_wanted |= strcmp(inlines[i].name, names[j]) == 0;
		if (is_wanted)
			chain[count++] = inlines[i].name;
	}
	return count;
}

static const struct image_function *container_of(const struct image *image, const struct image_function *function)
{
	return function->inlined_into == IMAGE_NOT_INLINED ? NULL : &image->functions[function->inlined_into];
}

/* The size of all extents of a function, in bytes. */
static uint64_t size_of(const struct image *image, size_t first)
{
	uint64_t size = 0;

	for (size_t i = 0; i < image->function_count; i++)
		if (image->functions[i].first == first)
			size += image->functions[i].end - image->functions[i].start;
	return size;
}

/* Fails unless the function at address and those that it was inlined into match the chain. A first instruction may
 * belong to an outer function instead; returns true if that is a split one, which then has no other code. */
static bool expect_chain(const struct image *image, uint64_t address, const char *const *chain, size_t count)
{
	const struct image_function *function = image_function_at(image, address);

	assert_non_null(function);
	size_t i = 0;
	while (i + 1 < count && strcmp(chain[i], function->name) != 0)
		i++;
	bool is_entry = i > 0;
	if (is_entry)
		assert_true(address - image->functions[function->first].start < ENTRY);
	if (is_entry && function->inlined_into != IMAGE_NOT_INLINED)
		assert_int_equal(size_of(image, function->first), ENTRY);
	for (; i < count; i++, function = container_of(image, function)) {
		assert_non_null(function);
		assert_string_equal(function->name, chain[i]);
	}
	assert_null(function);
	return is_entry;
}

static void expect_chains(const struct image *image, const char *const *names, size_t name_count)
{
	size_t entries = 0, inlined = 0;

	for (size_t i = 0; i < image->function_count; i++) {
		const struct image_function *function = &image->functions[i];

		for (uint64_t address = function->start; address < function->end; address++) {
			const char *chain[INLINES_MAX];
			size_t count = wanted_at(image, address, names, name_count, chain);

			/* DWARF names no function for constants after the code. */
			if (count == 0)
				continue;
			inlined += count > 1;
			entries += expect_chain(image, address, chain, count);
		}
	}
	assert_true(inlined > 10 && entries < inlined);
}

ALL_TESTS(build, workshop_close);

TEST(each_byte_belongs_to_the_innermost_wanted_function)
{
	static const char *const names[][3] = {
	        {"leaf"}, {"middle"}, {"leaf", "wrapper"}, {"middle", "leaf"}, {"wrapper", "middle", "leaf"},
	};

	for (size_t i = 0; i < COUNT(elfs); i++) {
		struct image *image = workshop_image(elfs[i]);

		for (size_t j = 0; j < COUNT(names); j++) {
			size_t count = 0;

			while (count < 3 && names[j][count] != NULL)
				count++;
			split(image, names[j], count);
			expect_chains(image, names[j], count);
		}
	}
}

/* The number of functions of this name that were inlined into a function named container. */
static size_t count_inlined(const struct image *image, const char *name, const char *container)
{
	size_t count = 0;

	for (size_t i = 0; i < image->function_count; i++) {
		const struct image_function *function = &image->functions[i];

		if (function->first == i && strcmp(function->name, name) == 0 && container_of(image, function) != NULL)
			count += strcmp(container_of(image, function)->name, container) == 0;
	}
	return count;
}

TEST(repeated_inlining_into_one_function_is_one_function)
{
	for (size_t i = 0; i < COUNT(elfs); i++) {
		struct image *image = workshop_image(elfs[i]);

		SPLIT(image, "middle", "leaf");
		assert_int_equal(count_inlined(image, "leaf", "one"), 1);
		assert_int_equal(count_inlined(image, "leaf", "two"), 1);
		assert_int_equal(count_inlined(image, "leaf", "middle"), 1);
		assert_int_equal(count_inlined(image, "middle", "one"), 1);
		assert_int_equal(count_inlined(image, "middle", "two"), 0);
	}
}

TEST(function_without_own_code_gets_an_instruction)
{
	for (size_t i = 0; i < COUNT(elfs); i++) {
		struct image *image = workshop_image(elfs[i]);

		SPLIT(image, "leaf", "wrapper");
		assert_int_equal(count_inlined(image, "wrapper", "two"), 1);
		assert_int_equal(count_inlined(image, "leaf", "wrapper"), 1);
	}
}

/* In the source, two() begins with code inlined from leaf(). */
TEST(functions_keep_their_first_instruction)
{
	struct image *image = workshop_image("gcc.elf");
	uint64_t one = workshop_function(image, "one")->start, two = workshop_function(image, "two")->start;

	SPLIT(image, "leaf", "middle", "wrapper");
	const struct image_function *function = workshop_function(image, "two");
	assert_int_equal(workshop_function(image, "one")->start, one);
	assert_int_equal(function->start, two);
	assert_int_equal(function->inlined_into, IMAGE_NOT_INLINED);
	assert_ptr_equal(image_function_at(image, two), function);
}

TEST(split_functions_have_the_line_of_their_definition)
{
	struct image *image = workshop_image("gcc.elf");

	SPLIT(image, "middle");
	const struct image_function *function = workshop_function(image, "middle");
	assert_non_null(function);
	assert_true(function->sized && function->is_local && !function->is_label);
	assert_non_null(strstr(function->file, "nested_inlining.c"));
	assert_int_equal(function->line, 13);
}

static void expect_undivided(const struct image *image, const struct image *plain)
{
	assert_int_equal(image->function_count, plain->function_count);
	for (size_t i = 0; i < plain->function_count; i++) {
		assert_string_equal(image->functions[i].name, plain->functions[i].name);
		assert_int_equal(image->functions[i].start, plain->functions[i].start);
		assert_int_equal(image->functions[i].end, plain->functions[i].end);
		assert_int_equal(image->functions[i].first, plain->functions[i].first);
		assert_int_equal(image->functions[i].inlined_into, IMAGE_NOT_INLINED);
	}
}

TEST(names_that_were_never_inlined_are_ignored)
{
	struct image *image = workshop_image("gcc.elf"), *plain = workshop_image("gcc.elf");

	SPLIT(image, "outer", "one", "absent", "");
	expect_undivided(image, plain);
	split(image, NULL, 0);
	expect_undivided(image, plain);
	image = workshop_image("bare.elf");
	SPLIT(image, "leaf");
	expect_undivided(image, plain);
}

TEST(later_splits_and_divisions_replace_a_split)
{
	struct image *image = workshop_image("gcc.elf"), *plain = workshop_image("gcc.elf");

	SPLIT(image, "leaf");
	assert_non_null(workshop_function(image, "leaf"));
	SPLIT(image, "middle");
	assert_null(workshop_function(image, "leaf"));
	assert_non_null(workshop_function(image, "middle"));
	assert_success(image_divide(image, &(struct image_division){.rule = IMAGE_BY_SYMBOL}, &failure), &failure);
	for (size_t i = 0; i < image->function_count; i++)
		assert_true(image->functions[i].first == i && image->functions[i].inlined_into == IMAGE_NOT_INLINED);
	SPLIT(image, "leaf");
	assert_success(image_divide(image, &(struct image_division){.rule = IMAGE_BY_SIZE}, &failure), &failure);
	expect_undivided(image, plain);
}

/* The code that the linker script marks as the recorder stays one function, with all that was inlined there. */
TEST(recorder_is_not_split)
{
	struct image *image = workshop_image("gcc.elf");
	const struct image_function two = *workshop_function(image, "two");

	image->recorder[0] = (struct image_range){two.start, two.end};
	image->recorder_count = 1;
	SPLIT(image, "leaf");
	workshop_expect(image, "two", two.start, two.end);
	assert_int_equal(count_inlined(image, "leaf", "one"), 1);
}

/* Many levels of inlining. Each that is read has its own instruction while there is room. */
TEST(deep_inlining_takes_linear_time)
{
	workshop_run("arm-none-eabi-gcc -mcpu=cortex-m3 -nostdlib -Wl,-Ttext=0x8000 -Wl,-e,f -DLEVELS=100000 -o "
	             "$WORKSHOP/deep.elf $FIRMWARE/rings.S");
	struct image *image = workshop_image("deep.elf");
	clock_t start = clock();
	SPLIT(image, "");
	assert_time(start, 50);
	assert_in_range(image->function_count, 1, 100);
}
