# SPDX-License-Identifier: MIT
# The link, of which what touches the block is compiled so that it tells of each access to memory: GCC calls functions of
# ours then, which would be those of ThreadSanitizer.
UNIT_TESTS += tests/unit/library/words/test_words.c
UNIT_SUPPORT_library/words := $(addprefix tests/unit/library/link/,peer.c wire.c)
UNIT_LIBRARIES_library/words = build/words/data.o build/words/request.o build/target/native-$1/libbareprof.a

build/words/%.o: target/link/%.c target/link/link.h $(wildcard include/bareprof/*.h) tests/unit/library/words/words.mk
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$Qgcc $(TARGET_COMPILE) -fsanitize=thread --param tsan-distinguish-volatile=1 -Itarget/isa/native -c $< -o $@
