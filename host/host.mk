# SPDX-License-Identifier: MIT
# Rules for the host code. The .mk file of each folder of host/ adds to HOST_SOURCES; host/main.c is the only other
# source. A variant compiles all of it with its own options into build/VARIANT/.

HOST_LISTS := $(sort $(wildcard host/*/*.mk))
include $(HOST_LISTS)

# The second one also shows that clang has no warnings.
HOST_VARIANTS := host sanitize fuzz

HOST_CC ?= gcc
host_CC = $(HOST_CC)
host_FLAGS := -O2
sanitize_CC = clang
sanitize_FLAGS := -O1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
fuzz_CC = clang
fuzz_FLAGS := -O1 -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all

# Optional libraries. Without NAME (of pkg-config), the sources HOST_SOURCES_NAME and the unit tests UNIT_TESTS_NAME are
# left out; with it, HAVE_NAME is defined, in capitals. `bareprof --version` prints those that are missing.
HOST_OPTIONAL ?= libserialport libusb-1.0 hidapi-libusb libftdi1 libjaylink jansson libcurl ncursesw
HOST_FOUND := $(shell for library in $(HOST_OPTIONAL); do ! pkg-config --exists $$library 2>/dev/null || echo $$library; done)
HOST_SOURCES += $(foreach library,$(HOST_FOUND),$(HOST_SOURCES_$(library)))
HOST_HAVE := $(addprefix -DHAVE_,$(shell echo $(HOST_FOUND) | tr 'a-z.-' 'A-Z__'))

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror
HOST_FLAGS := -std=c11 -g $(WARNINGS) -D_GNU_SOURCE -DBAREPROF_VERSION='"$(VERSION)"' $(HOST_HAVE) -Iinclude -Ihost

# pkg-config runs once, when the first recipe needs its answer: `make deps` may install the libraries only then.
# -isystem keeps lint out of their headers.
HOST_PACKAGES := libelf libdw zlib $(HOST_FOUND)
HOST_PACKAGE_FLAGS = $(eval HOST_PACKAGE_FLAGS := $$(patsubst -I%,-isystem%,$$(shell pkg-config --cflags $(HOST_PACKAGES))))$(HOST_PACKAGE_FLAGS)
HOST_LIBRARIES = $(eval HOST_LIBRARIES := $$(shell pkg-config --libs $(HOST_PACKAGES)) -liberty -lm -lpthread)$(HOST_LIBRARIES)

# $(call host_objects,VARIANT,SOURCES)
host_objects = $(patsubst %.c,build/$1/%.o,$2)

# Changes when another set of libraries is found.
host_joined = |$(subst $() ,|,$(strip $1))|
build/libraries: $(if $(filter $(call host_joined,$(HOST_FOUND)),$(call host_joined,$(file <build/libraries))),,always)
	@mkdir -p $(@D)
	@echo '$(HOST_FOUND)' >$@

# $(call host_compile,VARIANT): the command that makes an object of a source.
host_compile = $($1_CC) $(HOST_FLAGS) $(HOST_PACKAGE_FLAGS) $($1_FLAGS)

# Helpers of unit tests serve other tests too. A cmocka test has a parameter that most tests do not need.
define host_variant
build/$1/tests/%.o: HOST_FLAGS += -Itests/unit -Itarget
build/$1/tests/unit/%.o: HOST_FLAGS += -Wno-unused-parameter
build/$1/%.o: %.c host/host.mk $$$$(call headers_of,$$$$@)
	@mkdir -p $$(@D)
	$$(call say,CC,$$@)
	$$Q$$(call host_compile,$1) -MMD -c $$< -o $$@

build/$1/host/acquire/usb/packets.o build/$1/host/acquire/backend/gdb.o build/$1/host/acquire/backend/table.o build/$1/host/command/version.o build/$1/host/push/client.o build/$1/host/top/terminal.o: build/libraries

build/$1/libhost.a: $(call host_objects,$1,$(HOST_SOURCES)) $(HOST_LISTS) build/libraries
	$$(call say,AR,$$@)
	$$Qrm -f $$@ && ar crs $$@ $$(filter %.o,$$^)

build/$1/bareprof: build/$1/host/main.o build/$1/libhost.a
	$$(call say,LINK,$$@)
	$$Q$$($1_CC) $$($1_FLAGS) $$(LDFLAGS) $$^ $$(HOST_LIBRARIES) -o $$@
endef

$(foreach variant,$(HOST_VARIANTS),$(eval $(call host_variant,$(variant))))

build/bareprof: build/host/bareprof
	$Qcp -f $< $@
