# SPDX-License-Identifier: MIT
UNIT_TESTS += \
	tests/unit/diff/formats/test_folded.c \
	tests/unit/diff/formats/test_format.c \
	tests/unit/diff/formats/test_graph.c \
	tests/unit/diff/formats/test_junit.c \
	tests/unit/diff/formats/test_html.c \
	tests/unit/diff/formats/test_markdown.c \
	tests/unit/diff/formats/test_notes.c \
	tests/unit/diff/formats/test_text.c
UNIT_TESTS_jansson += tests/unit/diff/formats/test_json.c
UNIT_SUPPORT_diff/formats += tests/unit/diff/formats/comparison.c

# Pages of comparisons that were made up, for tests/browser/.
build/page/make_page: $(call host_objects,host,tests/unit/diff/formats/make_page.c $(UNIT_SUPPORT_diff/formats)) build/host/libhost.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$Q$(host_CC) $^ $(UNIT_CC_LIBRARIES) $(HOST_LIBRARIES) -o $@

-include build/host/tests/unit/diff/formats/make_page.d
