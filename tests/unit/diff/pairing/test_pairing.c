/* SPDX-License-Identifier: MIT */
/* Functions of two builds are paired after sources changed, with code of real toolchains. */
#include "pairs.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARM                                                                                          \
	"arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -nostdlib -nostdinc -ffreestanding -Wl,-e,start " \
	"-Wl,-Ttext=0x8000 "
#define RISCV                                                                                                          \
	"riscv64-unknown-elf-gcc -march=rv32imac -mabi=ilp32 -nostdlib -ffreestanding -Wl,-e,start -Wl,--no-warnings " \
	"-Wl,-Ttext=0x8000 "
#define RISCV64                                                                                                     \
	"riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 -mcmodel=medany -nostdlib -ffreestanding -Wl,-e,start " \
	"-Wl,--no-warnings -Wl,-Ttext=0x80000000 "
#define CLANG                                                                                             \
	"clang --target=arm-none-eabi -mcpu=cortex-m4 -fuse-ld=$(command -v arm-none-eabi-ld) -nostdlib " \
	"-ffreestanding -Wl,-e,start -Wl,-Ttext=0x8000 "
#define OLD  " -o $WORKSHOP/old.elf "
#define NEW  " -o $WORKSHOP/new.elf "
#define WORK "$SOURCES/work.c"

static int open_workshop(void **state)
{
	if (workshop_open(state) != 0)
		return -1;
	return setenv("SOURCES", "tests/unit/diff/pairing/firmware", 1);
}

/* Runs two commands, and pairs the builds that they produce. */
static void pair(const char *old, const char *new)
{
	workshop_run("%s", old);
	workshop_run("%s", new);
	pairs_find();
}

static const char *const compilers[] = {ARM, RISCV, RISCV64, CLANG};

/* Like pair(), with one compiler; old and new are options and files. */
static void pair_with(const char *compiler, const char *old, const char *new)
{
	char commands[BUILD_COUNT][1024];

	snprintf(commands[BUILD_OLD], sizeof commands[BUILD_OLD], "%s%s%s", compiler, old, OLD);
	snprintf(commands[BUILD_NEW], sizeof commands[BUILD_NEW], "%s%s%s", compiler, new, NEW);
	pair(commands[BUILD_OLD], commands[BUILD_NEW]);
}

ALL_TESTS(open_workshop, workshop_close);
TEST(names_pair_at_any_optimisation)
{
	for (size_t i = 0; i < sizeof compilers / sizeof *compilers; i++) {
		pair_with(compilers[i], "-O2 -g " WORK, "-Os -Wl,-Ttext=0x20000 " WORK);
		assert_int_equal(pairs_count(PAIRED_BY_NAME), pairs.pairing.count);
		pairs_expect("smooth", "smooth", PAIRED_BY_NAME);
		assert_null(pairing_how_text(PAIRED_BY_NAME));
	}
}

TEST(renamed_function_is_paired_by_place)
{
	for (size_t i = 0; i < sizeof compilers / sizeof *compilers; i++) {
		pair_with(compilers[i], "-O2 -g " WORK, "-Os -g -DSMOOTH=polish " WORK);
		pairs_expect("smooth", "polish", PAIRED_BY_PLACE);
		pairs_expect("scale", "scale", PAIRED_BY_NAME);
		assert_string_equal(pairing_how_text(PAIRED_BY_PLACE), "by file and line");
	}
}

TEST(renamed_function_in_another_folder_is_paired_by_place)
{
	workshop_run("mkdir -p $WORKSHOP/one/src $WORKSHOP/two/src && cp " WORK " $WORKSHOP/one/src && cp " WORK
	             " $WORKSHOP/two/src");
	pair("cd $WORKSHOP/one && " ARM "-O2 -g src/work.c -o ../old.elf",
	     "cd $WORKSHOP/two/src && " ARM "-Os -g -DSMOOTH=polish work.c -o ../../new.elf");
	pairs_expect("smooth", "polish", PAIRED_BY_PLACE);
}

TEST(renamed_and_moved_function_is_paired_by_code)
{
	workshop_run("(echo; echo; cat " WORK ") >$WORKSHOP/moved.c");
	for (size_t i = 0; i < sizeof compilers / sizeof *compilers; i++) {
		pair_with(compilers[i], "-O2 -g " WORK, "-O2 -g -DSMOOTH=polish -Wl,-Ttext=0x20000 $WORKSHOP/moved.c");
		pairs_expect("smooth", "polish", PAIRED_BY_CODE);
		pair_with(compilers[i], "-O2 " WORK, "-O2 -DSMOOTH=polish " WORK);
		pairs_expect("smooth", "polish", PAIRED_BY_CODE);
	}
}

TEST(function_without_a_counterpart_is_left)
{
	pair(ARM "-O2 " WORK OLD, ARM "-Os -DSMOOTH=polish " WORK NEW);
	pairs_expect("smooth", NULL, PAIRED_NOT);
	pairs_expect(NULL, "polish", PAIRED_NOT);
}

#define SAME(number) "$WORKSHOP/f" #number ".c"
#define SAME_SOURCES                                                                                    \
	"for n in 3 5 7; do (echo \"#define N $n\"; cat $SOURCES/same_name.c) >$WORKSHOP/f$n.c; done; " \
	"mkdir -p $WORKSHOP/a $WORKSHOP/b; cp $WORKSHOP/f3.c $WORKSHOP/a/f.c; cp $WORKSHOP/f5.c $WORKSHOP/b/f.c"

/* The helper() just before the function that uses it. */
static const struct pairing_pair *helper_before(enum build build, const char *user)
{
	const struct image *image = pairs.images[build];
	const struct image_function *function = workshop_function(image, user);

	assert_non_null(function);
	size_t index = (size_t)(function - image->functions);
	assert_true(index > 0 && strncmp(function[-1].name, "helper", strlen("helper")) == 0);
	return &pairs.pairing.pairs[pairs.pairing.pair_of[build][index - 1]];
}

static void expect_helpers_apart(void)
{
	assert_ptr_equal(helper_before(BUILD_OLD, "use3"), helper_before(BUILD_NEW, "use3"));
	assert_ptr_equal(helper_before(BUILD_OLD, "use5"), helper_before(BUILD_NEW, "use5"));
	assert_ptr_not_equal(helper_before(BUILD_NEW, "use3"), helper_before(BUILD_NEW, "use5"));
}

TEST(local_functions_of_one_name_stay_apart)
{
	static const char *const options[] = {"-O2 ", "-O2 -g "};

	workshop_run(SAME_SOURCES);
	for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
		char old[512], new[512];

		snprintf(old, sizeof old, ARM "%s$SOURCES/callers.c " SAME(3) " " SAME(5) OLD, options[i]);
		snprintf(new, sizeof new, ARM "-Os %s$SOURCES/callers.c " SAME(5) " " SAME(3) NEW, options[i]);
		pair(old, new);
		expect_helpers_apart();
		assert_int_equal(helper_before(BUILD_OLD, "use3")->how, PAIRED_BY_NAME);
		assert_string_equal(helper_before(BUILD_OLD, "use3")->files[BUILD_OLD], "f3.c");
		assert_int_equal(pairs_count(PAIRED_BY_NAME), pairs.pairing.count);
	}
}

TEST(global_function_does_not_pair_with_local_ones)
{
	workshop_run(SAME_SOURCES);
	pair(ARM "-O2 -DGLOBAL $SOURCES/callers.c " SAME(3) " " SAME(5) OLD,
	     ARM "-Os -DGLOBAL " SAME(5) " " SAME(3) " $SOURCES/callers.c" NEW);
	expect_helpers_apart();
	assert_int_equal(pairs_count(PAIRED_BY_NAME), pairs.pairing.count);
}

TEST(local_functions_in_files_of_one_name_stay_apart)
{
	workshop_run(SAME_SOURCES);
	pair(ARM "-O2 -g $SOURCES/callers.c $WORKSHOP/a/f.c $WORKSHOP/b/f.c" OLD,
	     ARM "-Os -g $SOURCES/callers.c $WORKSHOP/b/f.c $WORKSHOP/a/f.c" NEW);
	expect_helpers_apart();
	assert_int_equal(helper_before(BUILD_OLD, "use3")->how, PAIRED_BY_NAME);
	/* Without DWARF code is all that is left, and it is the same. */
	pair(ARM "-O2 $SOURCES/callers.c $WORKSHOP/a/f.c $WORKSHOP/b/f.c" OLD,
	     ARM "-O2 $SOURCES/callers.c $WORKSHOP/b/f.c $WORKSHOP/a/f.c" NEW);
	expect_helpers_apart();
	assert_int_equal(helper_before(BUILD_OLD, "use3")->how, PAIRED_BY_CODE);
	pair(ARM "-O2 $SOURCES/callers.c $WORKSHOP/a/f.c $WORKSHOP/b/f.c" OLD,
	     ARM "-O1 $SOURCES/callers.c $WORKSHOP/b/f.c $WORKSHOP/a/f.c" NEW);
	assert_int_equal(helper_before(BUILD_OLD, "use3")->how, PAIRED_NOT);
}

TEST(link_time_optimisation_leaves_files_to_dwarf)
{
	workshop_run(SAME_SOURCES);
	pair(ARM "-O2 -g $SOURCES/callers.c " SAME(3) " " SAME(5) OLD,
	     ARM "-O2 -g -flto -fno-inline $SOURCES/callers.c " SAME(5) " " SAME(3) NEW);
	for (size_t i = 0; i < pairs.pairing.count; i++) {
		const struct pairing_pair *found = &pairs.pairing.pairs[i];

		if (found->names[BUILD_OLD] == NULL || strcmp(found->names[BUILD_OLD], "helper") != 0)
			continue;
		assert_int_not_equal(found->how, PAIRED_NOT);
		assert_non_null(
		        strstr(found->files[BUILD_NEW],
		               found->files[BUILD_OLD][strlen(found->files[BUILD_OLD]) - 3] == '3' ? "f3.c" : "f5.c"));
	}
}

TEST(unique_local_function_pairs_across_files)
{
	workshop_run(SAME_SOURCES "; sed 's/static KEEP//' $WORKSHOP/f3.c >$WORKSHOP/global.c; "
	                          "sed 's/use3()/;/' $SOURCES/callers.c >$WORKSHOP/callers.c");
	pair(ARM "-O2 $WORKSHOP/callers.c " SAME(5) OLD, ARM "-Os $WORKSHOP/callers.c $WORKSHOP/b/f.c" NEW);
	pairs_expect("helper", "helper", PAIRED_BY_MOVED_NAME);
	pair(ARM "-O2 $WORKSHOP/callers.c " SAME(5) OLD,
	     ARM "-Os -fno-inline $WORKSHOP/callers.c $WORKSHOP/global.c -Duse3=use5" NEW);
	pairs_expect("helper", "helper", PAIRED_BY_MOVED_NAME);
}

/* --- Clones. */

#define CLONES(file, options) options " -DFILE='\"" file "\"' $SOURCES/clones.S"

TEST(clones_pair_with_their_function)
{
	pair(ARM CLONES("clones.c", "-DOLD") OLD, ARM CLONES("clones.c", "-DNEW") NEW);
	pairs_expect("whole", "whole", PAIRED_BY_NAME);
	pairs_expect("whole.cold", "whole.part.0.cold.3", PAIRED_BY_NAME);
	pairs_expect("special.constprop.0", "special", PAIRED_BY_CLONE);
	pairs_expect("promoted", "promoted.llvm.123456789", PAIRED_BY_CLONE);
	/* The number of a function within a function is not the same in all builds, and code does not decide here. */
	pairs_expect("plain.7", NULL, PAIRED_NOT);
	pairs_expect(NULL, "third_twin", PAIRED_NOT);
	pairs_expect("__other", "other", PAIRED_BY_NAME);
	const struct pairing_pair *whole = pairs_of(BUILD_OLD, "whole.part.0");
	assert_string_equal(whole->names[BUILD_OLD], "whole");
	assert_int_equal(whole->functions[BUILD_OLD], 3);
	assert_int_equal(whole->functions[BUILD_NEW], 2);
	const struct pairing_pair *special = pairs_of(BUILD_OLD, "special.constprop.1.isra.0");
	assert_string_equal(special->names[BUILD_OLD], "special");
	assert_int_equal(special->functions[BUILD_OLD], 2);
}

/* Each file's clone belongs to the function of that file. */
TEST(clones_belong_to_the_function_of_their_file)
{
	static const char *const builds[] = {"-DOLD", "-DNEW"};

	for (enum build build = 0; build < BUILD_COUNT; build++) {
		workshop_run(ARM "-c -DLOCAL=use3 %s " CLONES(
		                     "f3.c", "") " -o $WORKSHOP/3.o && " ARM
		                                 "-c -DLOCAL=use5 %s " CLONES("f5.c", "") " -o $WORKSHOP/5.o && " ARM
		                                                                          "%s -o $WORKSHOP/%s",
		             builds[build], builds[build],
		             build == BUILD_OLD ? "-Wl,-e,0 $WORKSHOP/3.o $WORKSHOP/5.o"
		                                : "-Wl,-e,0 $WORKSHOP/5.o $WORKSHOP/3.o",
		             build == BUILD_OLD ? "old.elf" : "new.elf");
	}
	pairs_find();
	size_t count = 0;
	for (size_t i = 0; i < pairs.pairing.count; i++) {
		const struct pairing_pair *found = &pairs.pairing.pairs[i];

		if (found->names[BUILD_OLD] == NULL || strcmp(found->names[BUILD_OLD], "whole") != 0)
			continue;
		count++;
		assert_int_equal(found->functions[BUILD_OLD], 3);
		assert_int_equal(found->functions[BUILD_NEW], 2);
		assert_string_equal(found->files[BUILD_OLD], found->files[BUILD_NEW]);
	}
	assert_int_equal(count, 2);
}

TEST(clones_of_gcc_are_their_function)
{
	static const char *const functions[] = {"constant", "scalar", "partial"};

	pair(RISCV64 "-O0 $SOURCES/cloned.c" OLD, RISCV64 "-O3 $SOURCES/cloned.c" NEW);
	workshop_run("for name in constant.constprop scalar.isra partial.part; do "
	             "nm $WORKSHOP/new.elf | grep -q \" $name\" || exit 1; done");
	for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
		const struct pairing_pair *found = pairs_of(BUILD_OLD, functions[i]);

		assert_non_null(found->names[BUILD_NEW]);
		assert_string_equal(found->names[BUILD_NEW], functions[i]);
	}
	assert_int_equal(pairs_count(PAIRED_NOT), 0);
}

/* --- Inlining. */

#define INLINED(how, options) ARM "-g -DMIX_AS='" how "' " options " $SOURCES/inlined.c"

static void expect_mix_inlined(enum build there, const char *const *inlined_into, size_t count)
{
	enum build other = there == BUILD_OLD ? BUILD_NEW : BUILD_OLD;
	const struct pairing_pair *mix = pairs_of(other, "mix");
	size_t index = (size_t)(mix - pairs.pairing.pairs);
	const char *names[4];

	assert_int_equal(mix->how, PAIRED_BY_NAME);
	assert_true(mix->is_inlined[there] && !mix->is_inlined[other]);
	assert_int_equal(mix->functions[there], 0);
	assert_string_equal(mix->names[there], "mix");
	assert_non_null(strstr(mix->files[there], "inlined.c"));
	assert_int_equal(pairing_inlined_into(&pairs.pairing, pairs.images[there], index, there, names, 4), count);
	for (size_t i = 0; i < count; i++)
		assert_string_equal(names[i], inlined_into[i]);
	assert_int_equal(pairing_inlined_into(&pairs.pairing, pairs.images[there], index, there, names, 0), count);
	assert_int_equal(pairing_inlined_into(&pairs.pairing, pairs.images[other], index, other, names, 4), 0);
}

TEST(inlined_code_is_paired_with_its_function)
{
	static const char *const inlined_into[] = {"first", "second"};

	pair(INLINED("KEEP", "-O2") OLD, INLINED("INLINE", "-O2") NEW);
	expect_mix_inlined(BUILD_NEW, inlined_into, 2);
	pairs_expect("first", "first", PAIRED_BY_NAME);
	pair(INLINED("INLINE", "-O2") OLD, INLINED("KEEP", "-O2") NEW);
	expect_mix_inlined(BUILD_OLD, inlined_into, 2);
}

/* Inlined code is split off in both builds: else mix() would seem to have grown, and its callers to have shrunk. */
TEST(partly_inlined_code_is_split_off_in_both_builds)
{
	pair(INLINED("INLINE", "-O2 -DPOINTER") OLD, INLINED("INLINE", "-O2") NEW);
	const struct pairing_pair *mix = pairs_of(BUILD_NEW, "mix");
	const char *names[2];
	assert_int_equal(mix->functions[BUILD_OLD], 1);
	assert_true(mix->is_inlined[BUILD_NEW] && !mix->is_inlined[BUILD_OLD]);
	assert_int_equal(pairing_inlined_into(&pairs.pairing, pairs.images[BUILD_OLD],
	                                      (size_t)(mix - pairs.pairing.pairs), BUILD_OLD, names, 2),
	                 1);
	assert_string_equal(names[0], "first");
}

static size_t count_inlined_into(enum build build, const char *function)
{
	size_t pair = (size_t)(pairs_of(build, function) - pairs.pairing.pairs);

	return pairing_inlined_into(&pairs.pairing, pairs.images[build], pair, build, NULL, 0);
}

#define SYMBOL "-O2 -DLINKAGE=extern"

/* A global function keeps its symbol where every call of it was inlined, unless the linker removes it. */
TEST(inlined_function_with_a_symbol_is_split_off)
{
	static const enum build builds[] = {BUILD_NEW, BUILD_OLD};

	for (size_t i = 0; i < BUILD_COUNT; i++) {
		enum build there = builds[i], other = builds[1 - i];

		pair(there == BUILD_OLD ? INLINED("INLINE", SYMBOL) OLD : INLINED("KEEP", SYMBOL) OLD,
		     there == BUILD_NEW ? INLINED("INLINE", SYMBOL) NEW : INLINED("KEEP", SYMBOL) NEW);
		pairs_expect("mix", "mix", PAIRED_BY_NAME);
		const struct pairing_pair *mix = pairs_of(other, "mix");
		assert_int_equal(mix->functions[there], 1);
		assert_int_equal(mix->functions[other], 1);
		assert_false(mix->is_inlined[there] || mix->is_inlined[other]);
		assert_int_equal(count_inlined_into(there, "mix"), 2);
		assert_int_equal(count_inlined_into(other, "mix"), 0);
	}
}

/* first() holds it, second() calls it: the inlined and the called code are one function. */
TEST(partly_inlined_function_is_split_off)
{
	pair(INLINED("KEEP", SYMBOL) OLD, INLINED("INLINE", SYMBOL " -DPOINTER") NEW);
	assert_int_equal(pairs_of(BUILD_OLD, "mix")->functions[BUILD_NEW], 1);
	assert_int_equal(count_inlined_into(BUILD_NEW, "mix"), 1);
}

/* Compilers see through pointers, too: second() calls it by one, or holds it. */
TEST(code_inlined_in_place_of_a_pointer_call_is_split_off)
{
	pair(INLINED("INLINE", SYMBOL " -DPOINTER") OLD, INLINED("INLINE", SYMBOL) NEW);
	assert_int_equal(count_inlined_into(BUILD_OLD, "mix"), 1);
	assert_int_equal(count_inlined_into(BUILD_NEW, "mix"), 2);
}

/* In one build second() neither contains mix() nor calls it, so nothing shows what happened to its code. */
TEST(inlined_code_without_other_callers_stays)
{
	pair(INLINED("INLINE", SYMBOL) OLD, INLINED("INLINE", SYMBOL " -DUNRELATED") NEW);
	assert_int_equal(count_inlined_into(BUILD_OLD, "mix"), 0);
	assert_int_equal(count_inlined_into(BUILD_NEW, "mix"), 0);
}

/* As a callee of itself it would have its time twice in its total. */
TEST(function_inlined_into_itself_is_one_function)
{
	pair(RISCV64 "-g -O1 $SOURCES/recursive.c" OLD, RISCV64 "-g -O3 $SOURCES/recursive.c" NEW);
	const struct image *image = pairs.images[BUILD_NEW];
	size_t tree = (size_t)(pairs_of(BUILD_OLD, "tree") - pairs.pairing.pairs);
	size_t inside = 0, elsewhere = 0;
	for (size_t i = 0; i < image->function_count; i++) {
		size_t host = image->functions[i].inlined_into;

		if (host == IMAGE_NOT_INLINED || image->functions[i].first != i ||
		    pairs.pairing.pair_of[BUILD_NEW][i] != tree)
			continue;
		bool is_inside = pairs.pairing.pair_of[BUILD_NEW][host] == tree;
		inside += is_inside;
		elsewhere += !is_inside;
	}
	assert_true(inside > 0);
	assert_int_equal(elsewhere, count_inlined_into(BUILD_NEW, "tree"));
}

/* Both builds inline the same code, so their rows are the rows of the report. */
TEST(code_inlined_alike_by_both_builds_is_not_split_off)
{
	pair(INLINED("INLINE", SYMBOL) OLD, INLINED("INLINE", "-Os -DLINKAGE=extern") NEW);
	pairs_expect("mix", "mix", PAIRED_BY_NAME);
	assert_int_equal(count_inlined_into(BUILD_OLD, "mix"), 0);
	assert_int_equal(count_inlined_into(BUILD_NEW, "mix"), 0);
}

#define INLINED_HELPER(number)                                                    \
	RISCV64 "-O2 -g -c '-DKEEP=inline __attribute__((always_inline))' " SAME( \
	        number) " -o $WORKSHOP/inlined" #number ".o && "

/* The pair of helper() of fN.c in the old build. */
static const struct pairing_pair *helper_of(const char *file)
{
	for (size_t i = 0; i < pairs.pairing.count; i++) {
		const struct pairing_pair *found = &pairs.pairing.pairs[i];

		if (found->names[BUILD_OLD] != NULL && strcmp(found->names[BUILD_OLD], "helper") == 0 &&
		    strstr(found->files[BUILD_OLD], file) != NULL)
			return found;
	}
	fail_msg("no helper() of %s", file);
	return NULL;
}

TEST(inlined_code_does_not_pair_across_files)
{
	workshop_run(SAME_SOURCES);
	pair(RISCV64 "-O2 -g $SOURCES/callers.c " SAME(3) " " SAME(5) OLD,
	     INLINED_HELPER(5) RISCV64 "-O2 -g $SOURCES/callers.c " SAME(3) " $WORKSHOP/inlined5.o" NEW);
	assert_int_equal(helper_of("f3.c")->functions[BUILD_NEW], 1);
	assert_true(helper_of("f5.c")->is_inlined[BUILD_NEW]);
	assert_non_null(strstr(helper_of("f5.c")->files[BUILD_NEW], "f5.c"));
	pair(RISCV64 "-O2 -g $SOURCES/callers.c " SAME(3) " " SAME(5) OLD, INLINED_HELPER(5) INLINED_HELPER(3) RISCV64
	     "-O2 -g $SOURCES/callers.c $WORKSHOP/inlined5.o $WORKSHOP/inlined3.o" NEW);
	assert_true(helper_of("f3.c")->is_inlined[BUILD_NEW]);
	assert_non_null(strstr(helper_of("f3.c")->files[BUILD_NEW], "f3.c"));
	assert_true(helper_of("f5.c")->is_inlined[BUILD_NEW]);
}

TEST(inlined_code_belongs_to_the_function_of_its_file)
{
	static const char *const files[] = {"f3.c", "f5.c"}, *const inlined_into[] = {"use3", "use5"};

	workshop_run(SAME_SOURCES);
	pair(RISCV64 "-O2 -g -DSEVEN $SOURCES/callers.c " SAME(3) " " SAME(5) " " SAME(7) OLD,
	     INLINED_HELPER(7) RISCV64 "-O2 -g -DSEVEN -DPOINTER '-DKEEP=inline __attribute__((always_inline))' "
	                               "$SOURCES/callers.c " SAME(3) " " SAME(5) " $WORKSHOP/inlined7.o" NEW);
	for (size_t i = 0; i < 2; i++) {
		const struct pairing_pair *helper = helper_of(files[i]);
		const char *names[2];

		assert_int_equal(helper->functions[BUILD_NEW], 1);
		assert_int_equal(pairing_inlined_into(&pairs.pairing, pairs.images[BUILD_NEW],
		                                      (size_t)(helper - pairs.pairing.pairs), BUILD_NEW, names, 2),
		                 1);
		assert_string_equal(names[0], inlined_into[i]);
	}
	assert_true(helper_of("f7.c")->is_inlined[BUILD_NEW]);
}

/* Clones are one function, and so is what was inlined into each of them. */
TEST(code_inlined_into_clones_is_one_function)
{
	pair(RISCV64 "-O3 -g $SOURCES/cloned.c" OLD, RISCV64 "-O3 -g -DSTEP_AS=INLINE $SOURCES/cloned.c" NEW);
	const struct image *image = pairs.images[BUILD_NEW];
	size_t step = (size_t)(pairs_of(BUILD_OLD, "step") - pairs.pairing.pairs);
	size_t splits = 0, owners = 0;
	for (size_t i = 0; i < image->function_count; i++) {
		bool is_step = pairs.pairing.pair_of[BUILD_NEW][i] == step && image->functions[i].first == i;

		splits += is_step;
		owners += is_step && pairs.pairing.owners[BUILD_NEW][i] == i;
	}
	const char *name;
	assert_int_equal(splits, 2);
	assert_int_equal(owners, 1);
	assert_int_equal(pairing_inlined_into(&pairs.pairing, image, step, BUILD_NEW, &name, 1), 1);
	assert_string_equal(name, "constant");
}

TEST(without_dwarf_inlined_functions_are_gone)
{
	pair(INLINED("KEEP", "-O2") OLD, INLINED("INLINE", "-O2 -g0") NEW);
	pairs_expect("mix", NULL, PAIRED_NOT);
}

/* The function that vanished is paired with no other, not even with the same code. */
TEST(inlined_code_is_not_paired_by_code)
{
	static const char *const inlined_into[] = {"first"};

	pair(INLINED("KEEP", "-O2") OLD, INLINED("INLINE", "-O2 -DUNRELATED") NEW);
	expect_mix_inlined(BUILD_NEW, inlined_into, 1);
	pairs_expect(NULL, "unrelated", PAIRED_NOT);
}

/* --- C++. */

TEST(overloaded_functions_pair_by_mangled_name)
{
	workshop_run("printf '%%s\\n' 'struct box { box(int); int get() const; int get(int); int held; };' "
	             "'volatile int sink;' 'box::box(int a) : held(a) {}' 'int box::get() const { return held; }' "
	             "'int box::get(int a) { return held + a * sink; }' "
	             "'extern \"C\" void start() { box b(sink); sink = b.get() + b.get(sink); }' >$WORKSHOP/box.cpp");
	pair("arm-none-eabi-g++ -mcpu=cortex-m3 -nostdlib -Wl,-e,start -O0 $WORKSHOP/box.cpp" OLD,
	     "arm-none-eabi-g++ -mcpu=cortex-m3 -nostdlib -Wl,-e,start -Os $WORKSHOP/box.cpp" NEW);
	pairs_expect("_ZN3box3getEi", "_ZN3box3getEi", PAIRED_BY_NAME);
	pairs_expect("_ZNK3box3getEv", "_ZNK3box3getEv", PAIRED_BY_NAME);
	assert_int_equal(pairs_count(PAIRED_BY_NAME), pairs.pairing.count);
}
