#!/bin/bash
# SPDX-License-Identifier: MIT
# The examples of the release tree that Debian can build: by make, CMake, Meson, and arduino-builder with a core for
# tests. Each runs in QEMU, and its profile must have all calls.
source tests/emulated/support.sh
# The builds are independent of the make that runs these tests.
unset MAKEFLAGS MFLAGS MAKELEVEL
root=$PWD

# tree FOLDER: a copy of the release tree, where examples may leave files.
tree() {
	mkdir -p "$1" && cp -r build/release-tree/. "$1"
}

# profiled NAME ELF CALLEE FACTOR CALLER: runs it, and checks the calls of these functions (calls.py).
profiled() {
	local finding output=${2%.elf}
	if finding=$(tests/qemu/run.sh netduinoplus2 "$2" tests/packages/profile.sh "$2" "$output" "${@:3}" 2>"$output.log"); then
		ok "$1 ($finding)"
	else
		not_ok "$1: ${finding:-$(tail -n 1 "$output.log")}"
	fi
}

# sorts NAME FOLDER LOG ELF: the example of examples/stm32, if the build has left it.
sorts() {
	if [[ -f $2/$4 ]] && ! grep -q 'warning:' "$3"; then
		profiled "$1" "$2/$4" insert_number 63 sort_numbers
	else
		not_ok "$1: $(grep -m 1 -iE 'error|warning' "$3")"
	fi
}

tree "$work/make"
example=$work/make/examples/stm32
make -C "$example" >"$work/make.log" 2>&1
sorts "the example is built by make and runs" "$example" "$work/make.log" example.elf

tree "$work/cmake"
example=$work/cmake/examples/stm32
cmake -S "$example" -B "$example/build" >"$work/cmake.log" 2>&1 && cmake --build "$example/build" >>"$work/cmake.log" 2>&1
sorts "the example is built by CMake and runs" "$example" "$work/cmake.log" build/example.elf

name="CMake: a project without assembly is refused, with the reason"
sed -i 's/^project(example C ASM)/project(example C)/' "$example/CMakeLists.txt"
if cmake -S "$example" -B "$example/refused" >"$work/refused.log" 2>&1; then
	not_ok "$name: it was configured"
elif grep -q 'add ASM to the languages of project()' "$work/refused.log"; then
	ok "$name"
else
	not_ok "$name: $(grep -m 1 -i error "$work/refused.log")"
fi

tree "$work/meson/examples/stm32/subprojects/bareprof"
example=$work/meson/examples/stm32
cp -r build/release-tree/examples/stm32/. "$example"
(cd "$example" && meson setup build --cross-file cortex-m4.ini && meson compile -C build) >"$work/meson.log" 2>&1
sorts "the example is built by Meson and runs" "$example" "$work/meson.log" build/example.elf

# The core's startup code and linker script are those of the example.
tree "$work/arduino/libraries/bareprof"
sketch=$work/arduino/libraries/bareprof/examples
core=$work/arduino/hardware/test/stm32
mkdir -p "$core" "$work/arduino/build" && cp -r tests/packages/arduino/. "$core"
cp "$sketch"/stm32/*.ld "$core"
cp "$sketch"/stm32/s*_stm32f*.c "$core/cores/stm32"
arduino-builder -compile -hardware /usr/share/arduino-builder -hardware "$root/$work/arduino/hardware" -tools /usr/bin \
	-libraries "$root/$work/arduino/libraries" -fqbn test:stm32:netduino -build-path "$root/$work/arduino/build" \
	-prefs='compiler.c.extra_flags=-pg -g' -prefs='compiler.cpp.extra_flags=-pg -g' "$root/$sketch/arduino/arduino.ino" \
	>"$work/arduino.log" 2>&1
name="the sketch is built by arduino-builder and runs"
if [[ -f $work/arduino/build/arduino.ino.elf ]]; then
	profiled "$name" "$work/arduino/build/arduino.ino.elf" count_ones 100 loop
else
	not_ok "$name: $(grep -m 1 -iE 'error|warning' "$work/arduino.log")"
fi
exit $((failures != 0))
