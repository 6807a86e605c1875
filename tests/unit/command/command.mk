# SPDX-License-Identifier: MIT
UNIT_TESTS += tests/unit/command/test_arguments.c tests/unit/command/test_complete.c tests/unit/command/test_gprof_options.c \
	tests/unit/command/test_nonblocking_output.c tests/unit/command/test_progress.c tests/unit/command/test_traffic.c
