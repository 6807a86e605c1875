# SPDX-License-Identifier: MIT
# Builds the library for firmware from the sources next to this file, where `make install` put both:
#
#	make -C PREFIX/share/bareprof target ISA=arm_m CPU=cortex-m4f OUTPUT=$PWD/build
#
# makes build/target/arm_m-cortex-m4f/libbareprof.a. target/target.mk has more about ISA, CPU, WITH and TOOLCHAIN.

.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules
.DEFAULT_GOAL := target
MAKECMDGOALS ?= target

Q := $(if $(V),,@)
say = $(if $(V),,$(info $()  $1	$2))

# The sources may be read-only. With `make -C`, a relative OUTPUT would be relative to the sources.
ifeq ($(filter /%,$(OUTPUT)),)
$(error missing OUTPUT=FOLDER, a path from the root, such as OUTPUT=$$PWD/build; the library is built below it)
endif

include target/target.mk
