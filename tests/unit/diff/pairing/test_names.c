/* SPDX-License-Identifier: MIT */
/* Suffixes that compilers add to names, and the relevant part of a path. */
#include "diff/pairing/names.h"
#include "test.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name, *base;
	bool is_clone;
} names[] = {
        {"f", "f", false},
        {"f.constprop.0", "f", true},
        {"f.isra.12", "f", true},
        {"f.part.0.isra.0.constprop.1", "f", true},
        {"f.cold", "f", true},
        {"f.part.3.cold.17", "f", true},
        {"f.clone.2", "f", true},
        {"f.lto_priv.0", "f", false},
        {"f.llvm.13902312345678901234", "f", false},
        {"f.lto_priv.0.constprop.0", "f", true},
        {"f.llvm.1.cold", "f", true},
        {"_ZN1a1bEv.constprop.0", "_ZN1a1bEv", true},
        {"f.7", "f.7", false},
        {"f.parted.0", "f.parted.0", false},
        {"f.part.x", "f.part.x", false},
        {"f.part.", "f.part.", false},
        {"part.0", "part.0", false},
        {".cold", ".cold", false},
        {".part.0", ".part.0", false},
        {"cold", "cold", false},
        {"f.", "f.", false},
        {".", ".", false},
        {"", "", false},
};

TEST(compiler_suffixes_are_removed)
{
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		bool is_clone = !names[i].is_clone;
		size_t length = name_base_length(names[i].name, &is_clone);

		if (length != strlen(names[i].base) || is_clone != names[i].is_clone)
			fail_msg("%s: %zu bytes, %s", names[i].name, length, is_clone ? "a clone" : "no clone");
	}
}

TEST(path_tails_end_at_slashes_and_backslashes)
{
	assert_string_equal(path_tail("/home/a/src/main.c", 1), "main.c");
	assert_string_equal(path_tail("/home/a/src/main.c", 2), "src/main.c");
	assert_string_equal(path_tail("C:\\a\\src/main.c", 3), "a\\src/main.c");
	assert_string_equal(path_tail("main.c", 3), "main.c");
	assert_string_equal(path_tail("src/", 1), "");
	assert_string_equal(path_tail("", 1), "");
}
