# SPDX-License-Identifier: MIT
# The suites that `make check` runs. Every check leaves one file, build/results/SUITE/NAME, that record.sh writes;
# summary.sh adds them up. A suite is the list RESULTS_<suite> and the rules that make its files; the Makefile names all.

include $(sort $(wildcard tests/*/*.mk tests/unit/*/*.mk tests/unit/*/*/*.mk))

RECORD := tests/check/record.sh

.PHONY: suites always
always:

# --- Unit tests: tests/unit/AREA/test_NAME.c is one cmocka program, linked with tests/unit/main.c, which runs its tests,
# with the area's UNIT_SUPPORT_ sources and UNIT_LIBRARIES_ (which may mention $(variant)), and with the host code. They
# run twice: as users build the code, and under the sanitizers.

UNIT_TESTS += $(foreach library,$(HOST_FOUND),$(UNIT_TESTS_$(library)))
UNIT_VARIANTS := host sanitize
UNIT_NAMES := $(UNIT_TESTS:tests/unit/%.c=%)
UNIT_CC_LIBRARIES = $(eval UNIT_CC_LIBRARIES := $$(shell pkg-config --libs cmocka))$(UNIT_CC_LIBRARIES)

# $(call unit_objects,VARIANT,AREA/test_NAME)
unit_area = $(patsubst %/,%,$(dir $2))
unit_objects = $(call host_objects,$1,tests/unit/$2.c tests/unit/main.c tests/unit/test.c $(UNIT_SUPPORT_$(unit_area))) \
	$(UNIT_LIBRARIES_$(unit_area))
define unit_programs
$(UNIT_NAMES:%=build/$1/unit/%): build/$1/unit/%: $$$$(call unit_objects,$1,$$$$*) build/$1/libhost.a
	@mkdir -p $$(@D)
	$$(call say,LINK,$$@)
	$$Q$$($1_CC) $$($1_FLAGS) $$^ $$(UNIT_CC_LIBRARIES) $$(HOST_LIBRARIES) -lpthread -o $$@
endef
$(foreach variant,$(UNIT_VARIANTS),$(eval $(call unit_programs,$(variant))))

RESULTS_unit_all := $(UNIT_NAMES:%=build/results/unit/%)
$(RESULTS_unit_all): build/results/unit/%: build/host/unit/% always
	@$(RECORD) $@ env BUILD=build/host CMOCKA_MESSAGE_OUTPUT=TAP $<

# The model of a target is tested in the suite `probe-modes`.
RESULTS_unit := $(filter-out build/results/unit/probe-model/%,$(RESULTS_unit_all))
RESULTS_probe-modes += $(filter build/results/unit/probe-model/%,$(RESULTS_unit_all))

# --- Sanitizers: cmocka must not catch the signals that they report.

SANITIZE_ENVIRONMENT := ASAN_OPTIONS=handle_segv=2:handle_sigbus=2:handle_sigfpe=2:handle_sigill=2 \
	UBSAN_OPTIONS=print_stacktrace=1

RESULTS_sanitize_unit := $(UNIT_NAMES:%=build/results/sanitize/unit/%)
$(RESULTS_sanitize_unit): build/results/sanitize/unit/%: build/sanitize/unit/% always
	@$(RECORD) $@ env BUILD=build/sanitize CMOCKA_MESSAGE_OUTPUT=TAP $(SANITIZE_ENVIRONMENT) $<

# --- Golden tests: a folder with a `command` each, see golden.sh. GOLDEN_NEEDS are files that they read from build/.

# The tool without optional libraries: if it links, it needs none of them.
GOLDEN_NEEDS += build/tests/bareprof-without-libraries
build/tests/bareprof-without-libraries: host/acquire/backend/gdb.c host/acquire/backend/table.c host/push/client.c host/top/terminal.c build/host/host/main.o build/host/libhost.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$Q$(host_CC) $(filter-out -DHAVE_%,$(HOST_FLAGS)) $^ \
		$$(pkg-config --libs $(filter-out $(HOST_FOUND),$(HOST_PACKAGES))) -liberty -lm -lpthread -o $@

GOLDEN_NAMES := $(sort $(patsubst tests/golden/%/command,%,$(wildcard tests/golden/*/command)))

RESULTS_golden := $(GOLDEN_NAMES:%=build/results/golden/%)
$(RESULTS_golden): build/results/golden/%: build/bareprof $(GOLDEN_NEEDS) always
	@$(RECORD) $@ tests/check/golden.sh run $* build/golden/host $<

RESULTS_sanitize_golden := $(GOLDEN_NAMES:%=build/results/sanitize/golden/%)
$(RESULTS_sanitize_golden): build/results/sanitize/golden/%: build/sanitize/bareprof $(GOLDEN_NEEDS) always
	@$(RECORD) $@ env $(SANITIZE_ENVIRONMENT) tests/check/golden.sh run $* build/golden/sanitize $<

RESULTS_sanitize += $(RESULTS_sanitize_unit) $(RESULTS_sanitize_golden)

.PHONY: accept
accept: build/bareprof $(GOLDEN_NEEDS)
	@$(foreach name,$(GOLDEN_NAMES),tests/check/golden.sh accept $(name) build/golden/host $< && ) git diff --stat tests/golden

# --- Fuzzing: tests/fuzz/fuzz_NAME.c is one libFuzzer target, its seeds are in tests/fuzz/corpus/NAME/.
# FUZZ_SUPPORT_NAME are sources that it needs in addition to the host code, FUZZ_LIBRARIES_NAME archives.

FUZZ_NAMES := $(FUZZ_TARGETS:tests/fuzz/fuzz_%.c=%)

define fuzz_program
build/fuzz/fuzz_$1: $(call host_objects,fuzz,tests/fuzz/fuzz_$1.c $(FUZZ_SUPPORT_$1)) $(FUZZ_LIBRARIES_$1) build/fuzz/libhost.a
	$$(call say,LINK,$$@)
	$$Q$$(fuzz_CC) $$(fuzz_FLAGS) -fsanitize=fuzzer $$^ $$(HOST_LIBRARIES) -o $$@
endef

$(foreach name,$(FUZZ_NAMES),$(eval $(call fuzz_program,$(name))))

RESULTS_fuzz := $(FUZZ_NAMES:%=build/results/fuzz/%)
$(RESULTS_fuzz): build/results/fuzz/%: build/fuzz/fuzz_% always
	@CHECK_TIMEOUT=$$((2 * $(FUZZ_SECONDS) + 120)) \
		$(RECORD) $@ tests/check/fuzz.sh $< tests/fuzz/corpus/$* $(FUZZ_SECONDS)

# --- Target tests: scripts that run firmware. EMULATED_TEST_NEEDS are the files that all of them run. The suite `times` has
# the longest: times compared with executed instructions, in many runs, UARTs, and one firmware compiled in 87 ways.

RESULTS_emulated_scripts := $(EMULATED_TESTS:tests/emulated/%.sh=build/results/emulated/%)
$(RESULTS_emulated_scripts): build/results/emulated/%: tests/emulated/%.sh build/bareprof $(EMULATED_TEST_NEEDS) \
		$$(TARGET_FIRMWARE_$$*) always
	@$(RECORD) $@ bash $<

# The stress test is one run of tests/emulated/landings.sh per board and firmware that firmware.txt has for it.
RESULTS_stress := $(shell awk '$$1 == "landings" { print "build/results/stress/" $$2 "/" $$3 }' \
	tests/emulated/firmware.txt)
$(RESULTS_stress): build/results/stress/%: build/firmware/%.elf tests/emulated/landings.sh build/qemu/count.so always
	@$(RECORD) $@ bash tests/emulated/landings.sh $(*D) $(*F)

build/results/emulated/libraries: $(TARGET_LIBRARIES) $(TARGET_FIRMWARE_build) always
	@$(RECORD) $@ echo "ok gcc compiles the target library for $(words $(TARGET_LIBRARIES)) cores without a warning"

RESULTS_times := $(addprefix build/results/emulated/,compilers cost dither lines link self_times)
RESULTS_emulated := build/results/emulated/libraries $(filter-out $(RESULTS_times),$(RESULTS_emulated_scripts))

# --- Porting tests: builds as users make them.

RESULTS_porting := $(PORTING_TESTS:tests/porting/%.sh=build/results/porting/%)
$(RESULTS_porting): build/results/porting/%: tests/porting/%.sh build/bareprof $(PORTING_LIBRARIES) always
	@$(RECORD) $@ bash $<

# --- Installation: the installed tree is used where the source tree cannot be reached.

RESULTS_install := $(INSTALL_TESTS:tests/install/%.sh=build/results/install/%)
$(RESULTS_install): build/results/install/%: tests/install/%.sh build/bareprof build/target/arm_m-cortex-m3/libbareprof.a \
		build/target/arm_m-cortex-m3/libbareprof.options always
	@$(RECORD) $@ bash $<

# --- The second compiler. Warnings are errors, so a build is a pass.

CLANG_LIBRARIES := $(foreach TOOLCHAIN,clang,$(TARGET_LIBRARIES))

RESULTS_clang := build/results/clang/host build/results/clang/target
build/results/clang/host: build/sanitize/bareprof always
	@$(RECORD) $@ echo "ok clang compiles the host tool without a warning"
build/results/clang/target: $(CLANG_LIBRARIES) always
	@$(RECORD) $@ echo "ok clang compiles the target library for $(words $(CLANG_LIBRARIES)) cores without a warning"

# --- Checks of the source text.

RESULTS_format := build/results/format/tree
$(RESULTS_format): always
	@$(RECORD) $@ tests/check/format.sh check

RESULTS_layers := $(addprefix build/results/layers/,includes circles circles-target host unit fuzz emulated porting install boards \
	options udev headers no-compilers)
build/results/layers/includes: always
	@$(RECORD) $@ tests/check/layers.sh .
build/results/layers/circles: build/host/host/main.o build/host/libhost.a always
	@$(RECORD) $@ tests/check/circles.sh host build/host/host
build/results/layers/circles-target: build/target/native-host/libbareprof.a always
	@$(RECORD) $@ tests/check/circles.sh target build/target/native-host
build/results/layers/options: always
	@$(RECORD) $@ tests/check/options.sh
build/results/layers/host: always
	@$(RECORD) $@ tests/check/lists.sh "host sources" host '*.c' host/main.c $(HOST_SOURCES)
build/results/layers/unit: always
	@$(RECORD) $@ tests/check/lists.sh "unit tests" tests/unit 'test_*.c' $(UNIT_TESTS)
build/results/layers/fuzz: always
	@$(RECORD) $@ tests/check/lists.sh "fuzz targets" tests/fuzz '*.c' $(FUZZ_TARGETS)
build/results/layers/emulated: always
	@$(RECORD) $@ tests/check/lists.sh "emulated tests" tests/emulated '*.sh' $(EMULATED_TESTS) $(EMULATED_TEST_SUPPORT)
build/results/layers/porting: always
	@$(RECORD) $@ tests/check/lists.sh "porting tests" tests/porting '*.sh' $(PORTING_TESTS) $(PORTING_SUPPORT)
build/results/layers/install: always
	@$(RECORD) $@ tests/check/lists.sh "install tests" tests/install '*.sh' $(INSTALL_TESTS) $(INSTALL_SUPPORT)
build/results/layers/boards: always
	@$(RECORD) $@ tests/check/boards.sh boards
build/results/layers/udev: always
	@$(RECORD) $@ tests/check/udev.sh udev/70-bareprof-probes.rules host/acquire/probe/*.c
build/results/layers/headers: always
	@$(RECORD) $@ tests/check/headers.sh build/tests/headers
build/results/layers/no-compilers: always
	@$(RECORD) $@ tests/check/no_compilers.sh build/tests/no-compilers

# A source is linted again when its object is newer, so after a change of the source or of a header.
LINT_SOURCES := host/main.c $(filter host/%,$(HOST_SOURCES))
RESULTS_lint_host := $(LINT_SOURCES:%=build/results/lint/%)
$(RESULTS_lint_host): build/results/lint/%.c: %.c build/host/%.o .clang-tidy tests/check/dialect.query
	@$(RECORD) $@ tests/check/lint.sh $< $(HOST_FLAGS) $(HOST_PACKAGE_FLAGS) \
		$(if $(filter host/base/status.c host/command/command.c,$<),,-include tests/check/lint.h)

# The target library is linted as the native port compiles it.
RESULTS_lint_target := $(TARGET_SOURCES:%=build/results/lint/%)
$(RESULTS_lint_target): build/results/lint/target/%.c: target/%.c build/target/native-host/%.o .clang-tidy tests/check/dialect.query
	@$(RECORD) $@ tests/check/lint.sh $< $(TARGET_COMPILE) -Itarget/isa/native

# Unit tests are checked against dialect.query, but not against .clang-tidy.
RESULTS_lint_unit := $(UNIT_TESTS:%=build/results/lint/%)
$(RESULTS_lint_unit): build/results/lint/%.c: %.c build/host/%.o tests/check/dialect.query
	@$(RECORD) $@ tests/check/dialect.sh $< $(HOST_FLAGS) $(HOST_PACKAGE_FLAGS) -Itests/unit -Itarget -Wno-unused-parameter

RESULTS_lint := $(RESULTS_lint_host) $(RESULTS_lint_target)
RESULTS_lint += $(RESULTS_lint_unit)

RESULTS_lint += build/results/lint/words build/results/lint/names
build/results/lint/words: always
	@$(RECORD) $@ tests/check/words.sh
build/results/lint/names: always
	@$(RECORD) $@ tests/check/names.sh host

# Tests of checks of the source text, also of `layers`.
RESULTS_selftest := $(patsubst tests/check/%.sh,build/results/lint/%,$(sort $(wildcard tests/check/*-selftest.sh)))
RESULTS_lint += $(RESULTS_selftest)
$(RESULTS_selftest): build/results/lint/%: always
	@$(RECORD) $@ tests/check/$*.sh

RESULTS := $(foreach suite,$(SUITES),$(RESULTS_$(suite)))

# The longest checks begin first.
LONGEST := $(addprefix build/results/,emulated/cost emulated/link emulated/paths emulated/states emulated/stress linux-vm/probe \
	linux-vm/pull diff/alarms diff/same browser/profile porting/cmake porting/pkg_config oracle/profiles)
suites: $(filter $(LONGEST),$(RESULTS)) $(RESULTS)

# Before the suites run, the results of the last time are deleted, except lint without findings. EXPECTED lists them for
# summary.sh. A suite without checks is expected to leave a file that nothing makes, and so fails.
ifneq ($(and $(filter suites,$(MAKECMDGOALS)),$(if $(DRY_RUN),,yes)),)
$(shell mkdir -p $(dir $(EXPECTED)))
$(file >$(EXPECTED),$(foreach suite,$(SUITES),$(or $(RESULTS_$(suite)),build/results/$(suite)/checks)))
$(shell tests/check/forget.sh $(EXPECTED))
endif
