# SPDX-License-Identifier: MIT
# A link as the macros of the firmware define it, with the recorder of two cores.
UNIT_TESTS += tests/unit/target/link_cores/test_link_cores.c
UNIT_SUPPORT_target/link_cores := tests/unit/target/link/wire.c
UNIT_LIBRARIES_target/link_cores = build/target/native-$1+cores/libbareprof.a
