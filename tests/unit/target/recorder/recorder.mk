# SPDX-License-Identifier: MIT
# The recorder itself, built for this computer: as it is, and under the sanitizers where the tests are.
UNIT_TESTS += $(addprefix tests/unit/target/recorder/test_,arcs.c control.c dither.c gate.c granules.c init.c lifecycle.c mtimer.c nesting.c samples.c \
	tick.c trigger.c)
UNIT_SUPPORT_target/recorder := tests/unit/target/recorder/arena.c
UNIT_LIBRARIES_target/recorder = build/target/native-$1/libbareprof.a
