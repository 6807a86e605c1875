# SPDX-License-Identifier: MIT
# The link, with the files that access the block compiled so that GCC calls a function of ours for each access to
# memory, in place of ThreadSanitizer's.
UNIT_TESTS += tests/unit/target/words/test_words.c
UNIT_SUPPORT_target/words := $(addprefix tests/unit/target/link/,peer.c wire.c)
UNIT_LIBRARIES_target/words = build/words/data.o build/words/request.o build/target/native-$1/libbareprof.a

build/words/%.o: target/link/%.c target/link/link.h $(wildcard include/bareprof/*.h) tests/unit/target/words/words.mk
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$Qgcc $(TARGET_COMPILE) -fsanitize=thread --param tsan-distinguish-volatile=1 -Itarget/isa/native -c $< -o $@
