# SPDX-License-Identifier: MIT
# A link as the macros of the firmware define it, with the recorder of two cores behind it.
UNIT_TESTS += tests/unit/link_cores/test_link_cores.c
UNIT_SUPPORT_link_cores := tests/unit/link/wire.c
UNIT_LIBRARIES_link_cores = build/target/native-$1+cores/libbareprof.a
