# SPDX-License-Identifier: MIT
UNIT_TESTS += \
	tests/unit/difference/test_folded.c \
	tests/unit/difference/test_format.c \
	tests/unit/difference/test_junit.c \
	tests/unit/difference/test_markdown.c \
	tests/unit/difference/test_notes.c \
	tests/unit/difference/test_text.c
UNIT_TESTS_jansson += tests/unit/difference/test_json.c
UNIT_SUPPORT_difference += tests/unit/difference/comparison.c tests/unit/difference/seams.c
