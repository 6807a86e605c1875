# SPDX-License-Identifier: MIT
FUZZ_TARGETS += tests/fuzz/fuzz_rules.c
FUZZ_SUPPORT_rules := tests/unit/diff/rules/builds.c
