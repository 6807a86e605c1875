/* SPDX-License-Identifier: MIT */
/* Text escaped for XML. An XML parser reads it in tests/golden/diff-junit. */
#include "base/text/escape.h"
#include "test.h"

static void assert_prints(const char *text, const char *expected)
{
	struct printed *printed = printed_begin();

	xml_print(printed->stream, text);
	assert_string_equal(printed_text(printed), expected);
}

TEST(markup_characters_are_escaped)
{
	assert_prints("f<a&&b>('\"')", "f&lt;a&amp;&amp;b&gt;(&#39;&quot;&#39;)");
	assert_prints("]]>", "]]&gt;");
}

TEST(other_characters_are_printed_unchanged)
{
	assert_prints("", "");
	assert_prints("\xc3\xa9\xe2\x82\xac\xef\xbf\xbd\xf0\x9f\x98\x80",
	              "\xc3\xa9\xe2\x82\xac\xef\xbf\xbd\xf0\x9f\x98\x80");
}

TEST(characters_forbidden_in_xml_are_printed_as_bytes)
{
	assert_prints("\x01\x1b[2J\x7f\r\n\t", "\\x01\\x1b[2J\\x7f\\x0d\\x0a\\x09");
	assert_prints("\xed\xa0\x80", "\\xed\\xa0\\x80");
	assert_prints("\xef\xbf\xbe\xef\xbf\xbf", "\\xef\\xbf\\xbe\\xef\\xbf\\xbf");
	assert_prints("\xc3<\xff", "\\xc3&lt;\\xff");
}
