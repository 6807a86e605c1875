# SPDX-License-Identifier: MIT
UNIT_TESTS += \
	tests/unit/difference/test_folded.c \
	tests/unit/difference/test_format.c \
	tests/unit/difference/test_graph.c \
	tests/unit/difference/test_junit.c \
	tests/unit/difference/test_html.c \
	tests/unit/difference/test_markdown.c \
	tests/unit/difference/test_notes.c \
	tests/unit/difference/test_text.c
UNIT_TESTS_jansson += tests/unit/difference/test_json.c
UNIT_SUPPORT_difference += tests/unit/difference/comparison.c

# Pages of comparisons that were made up, for tests/page/.
build/page/make_page: $(call host_objects,host,tests/unit/difference/make_page.c $(UNIT_SUPPORT_difference)) build/host/libhost.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$Q$(host_CC) $^ $(UNIT_CC_LIBRARIES) $(HOST_LIBRARIES) -o $@

-include build/host/tests/unit/difference/make_page.d
