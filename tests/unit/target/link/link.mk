# SPDX-License-Identifier: MIT
# The target's end of the link, built for this computer: as it is, and under the sanitizers where the tests are.
UNIT_TESTS += $(addprefix tests/unit/target/link/test_,client.c frames.c properties.c requests.c ring.c semihosting.c)
UNIT_SUPPORT_target/link := $(addprefix tests/unit/target/link/,peer.c wire.c)
UNIT_LIBRARIES_target/link = build/target/native-$1/libbareprof.a
