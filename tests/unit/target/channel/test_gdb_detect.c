/* SPDX-License-Identifier: MIT */
/* A gdb server is known by its first words; a console is not taken for one. */
#include "target/channel/gdb_detect.h"
#include "test.h"

#include <string.h>

static bool is_gdb_server(const char *text)
{
	return gdb_detect((const uint8_t *)text, strlen(text));
}

TEST(gdb_server_is_known_by_its_packets)
{
	assert_true(is_gdb_server("+"));
	assert_true(is_gdb_server("--"));
	assert_true(is_gdb_server("$T02thread:01;#04"));
	assert_true(is_gdb_server("+$#00"));
	assert_true(is_gdb_server("+$OK#9a+"));
}

TEST(console_is_no_gdb_server)
{
	static const char *const texts[] = {
	        "",   "$ ",    "+1",  "Hello", "$T02thread:01;#05", "$T02thread:01;#0", "$T02thread:01;",
	        "$#", "x$#00", "$#0G"};
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
		assert_false(is_gdb_server(texts[i]));
}
