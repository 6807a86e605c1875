# SPDX-License-Identifier: MIT
UNIT_TESTS += tests/unit/profile/test_filters.c

# An ELF, and captures and profiles of it, for the tests of the passes.
PROFILE_FIXTURES := tests/unit/profile/firmware.c tests/unit/profile/measured.c
