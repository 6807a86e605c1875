# SPDX-License-Identifier: MIT
# The link, of which what touches the block is compiled so that it tells of each access to memory. The names of the
# functions that it calls for that are changed, because those of the sanitizers have them, too.
UNIT_TESTS += tests/unit/words/test_words.c
UNIT_SUPPORT_words := $(addprefix tests/unit/link/,peer.c wire.c)
UNIT_LIBRARIES_words = build/words/data.o build/words/request.o build/target/native-$1/libbareprof.a

WORDS_ACCESSES := $(foreach size,1 2 4 8 16 N,load$(size) store$(size))

build/words/%.o: target/link/%.c target/link/link.h $(wildcard include/bareprof/*.h) tests/unit/words/words.mk
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$Qgcc $(filter-out -Os,$(TARGET_COMPILE)) -O1 $(OBSERVED) -Itarget/isa/native -c $< -o $@
	$Qobjcopy $(foreach access,$(WORDS_ACCESSES),--redefine-sym __asan_$(access)_noabort=observed_$(access)) $@
