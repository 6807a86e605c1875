#!/bin/bash
# SPDX-License-Identifier: MIT
# Headers for RTOSes and the recipes of docs/RTOS-BUILDS.md, compiled as their kernels include them, and their errors if
# something is missing. tests/emulated/scheduler.sh checks that tasks become contexts.
# shellcheck disable=SC2086 # compilers and options are several words
source tests/porting/support.sh

strict="-std=c11 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -ffreestanding -Iinclude -Itests/porting/rtos"

# configuration NAME [LINE]...: a folder with a FreeRTOSConfig.h of these lines, in $folder.
configuration() {
	folder=$work/${1//[^a-zA-Z]/-}
	shift
	mkdir -p "$folder"
	printf '%s\n' '#define configMAX_TASK_NAME_LEN 16' "$@" \
		'#include <bareprof/freertos.h>' >"$folder/FreeRTOSConfig.h"
}

# compiles NAME COMPILER [ARGUMENT]...
compiles() {
	local name=$1
	shift
	if "$@" $strict -I"$folder" -c -o "$folder/object.o" >"$folder/log" 2>&1; then
		ok "$name"
	else
		not_ok "$name: $(grep -m 1 error "$folder/log")"
	fi
}

# refused NAME TEXT COMPILER [ARGUMENT]...: does not compile, for this reason first.
refused() {
	local name=$1 text=$2
	shift 2
	if "$@" $strict -I"$folder" -c -o "$folder/object.o" >"$folder/log" 2>&1; then
		not_ok "$name: compiles"
	elif grep -m 1 'error' "$folder/log" | grep -qF -e "$text"; then
		ok "$name"
	else
		not_ok "$name: $(grep -m 1 error "$folder/log")"
	fi
}

arm="arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -O2 -pg"
tasks=tests/porting/rtos/tasks.c
freertos=target/rtos/freertos.c
traced='#define configUSE_TRACE_FACILITY 1'

configuration "one core" "$traced"
for compiler in "$arm" "arm-none-eabi-gcc -mcpu=cortex-m0 -mthumb -O0 -pg" "clang --target=thumbv7em-none-eabi -O2" \
	"riscv64-unknown-elf-gcc -march=rv32imac -mabi=ilp32 -O2 -pg"; do
	compiles "freertos.h: in a kernel: $compiler" $compiler -DBAREPROF_CONTEXTS=8 "$tasks"
done
echo '#include "FreeRTOSConfig.h"' >"$folder/port.S"
compiles "freertos.h: in assembly" $arm -DBAREPROF_CONTEXTS=8 "$folder/port.S"
for file in FreeRTOSConfig.h contexts.c; do
	shown docs/RTOS-BUILDS.md "$file" >"$folder/$file" || not_ok "docs/RTOS-BUILDS.md has no $file"
done
compiles "freertos.h: the configuration of docs/RTOS-BUILDS.md" $arm -DBAREPROF_CONTEXTS=8 "$tasks"
compiles "freertos.h: the handler of docs/RTOS-BUILDS.md" $arm -DBAREPROF_CONTEXTS=8 "$folder/contexts.c"
configuration "two cores" "$traced" '#define configNUMBER_OF_CORES 2'
compiles "freertos.h: two cores" $arm -DBAREPROF_CONTEXTS=8 -DBAREPROF_CORES=2 "$tasks"
refused "freertos.h: a library for fewer cores" "configNUMBER_OF_CORES and BAREPROF_CORES differ" $arm -DBAREPROF_CONTEXTS=8 "$tasks"
configuration "other macros" "$traced" '#define traceTASK_SWITCHED_IN()'
refused "freertos.h: macros of another tool" "BAREPROF_FREERTOS_COMBINED" $arm -DBAREPROF_CONTEXTS=8 "$tasks"
configuration "combined macros" "$traced" '#define BAREPROF_FREERTOS_COMBINED' \
	'#define traceTASK_CREATE(pxNewTCB) BAREPROF_TASK_CREATE(pxNewTCB)' \
	'#define traceTASK_SWITCHED_IN() BAREPROF_TASK_SWITCHED_IN()'
compiles "freertos.h: combined with macros of another tool" $arm -DBAREPROF_CONTEXTS=8 "$tasks"
configuration "no trace facility" '#define configUSE_TRACE_FACILITY 0'
refused "freertos.h: no trace facility" "set configUSE_TRACE_FACILITY to 1" $arm -DBAREPROF_CONTEXTS=8 "$tasks"
configuration "no contexts" "$traced"
refused "freertos.h: no contexts" "compile all files with -DBAREPROF_CONTEXTS=N" $arm "$tasks"

# runs NAME COMPILER [ARGUMENT]...: a program for this machine that prints what is wrong.
runs() {
	local name=$1 difference
	shift
	if "$@" $strict -I"$folder" -o "$folder/program" >"$folder/log" 2>&1 && difference=$("$folder/program"); then
		ok "$name"
	else
		not_ok "$name: ${difference:-$(grep -m 1 error "$folder/log")}"
	fi
}

ends='#define configRECORD_STACK_HIGH_ADDRESS 1'
configuration "ends of stacks" "$traced" "$ends"
compiles "freertos.h: with slices" $arm -DBAREPROF_CONTEXTS=8 -DBAREPROF_STACKS=8 "$tasks"
compiles "freertos.c: with slices" $arm -DBAREPROF_CONTEXTS=8 -DBAREPROF_STACKS=8 "$freertos"
compiles "freertos.c: without slices" $arm -DBAREPROF_CONTEXTS=8 "$freertos"
runs "freertos.c: ends of stacks" "${CC:-cc}" -DBAREPROF_CONTEXTS=8 -DBAREPROF_STACKS=8 tests/porting/rtos/stack_end.c \
	"$freertos"
configuration "ends of stacks on two cores" "$traced" "$ends" '#define configNUMBER_OF_CORES 2'
compiles "freertos.h: with slices on two cores" $arm -DBAREPROF_CONTEXTS=8 -DBAREPROF_CORES=2 -DBAREPROF_STACKS=8 "$tasks"
compiles "freertos.c: with slices on two cores" $arm -DBAREPROF_CONTEXTS=8 -DBAREPROF_CORES=2 -DBAREPROF_STACKS=8 "$freertos"
configuration "drop-in files" "$traced" "$ends"
sed -i 's|<bareprof/freertos.h>|"bareprof_freertos.h"|' "$folder/FreeRTOSConfig.h"
compiles "freertos.c: copied" $arm -Ibuild/drop-in -DBAREPROF_CONTEXTS=8 -DBAREPROF_STACKS=8 build/drop-in/bareprof_freertos.c
configuration "no ends of stacks" "$traced"
refused "freertos.h: no ends of stacks" "set configRECORD_STACK_HIGH_ADDRESS to 1" $arm -DBAREPROF_CONTEXTS=8 \
	-DBAREPROF_STACKS=8 "$tasks"

zephyr=target/rtos/zephyr.c
threads=tests/porting/rtos/threads.c
configured="-DBAREPROF_CONTEXTS=4 -DCONFIG_TRACING_USER=1 -DCONFIG_THREAD_NAME=1"
stacked="-DBAREPROF_STACKS=8 -DCONFIG_THREAD_STACK_INFO=1"
compiles "zephyr.c" $arm $configured "$zephyr"
compiles "zephyr.c: with slices" $arm $configured $stacked "$zephyr"
compiles "zephyr.c: copied" $arm -Ibuild/drop-in $configured build/drop-in/bareprof_zephyr.c
compiles "zephyr.h: in an application" $arm $configured -x c - < <(echo '#include <bareprof/zephyr.h>
int main(void); int main(void) { bareprof_zephyr_start(); return 0; }')
refused "zephyr.c: no hooks" "set CONFIG_TRACING=y" $arm -DBAREPROF_CONTEXTS=4 "$zephyr"
refused "zephyr.c: several cores" "do not support CONFIG_SMP" $arm $configured -DCONFIG_SMP=1 "$zephyr"
refused "zephyr.c: no ends of stacks" "set CONFIG_THREAD_STACK_INFO=y" $arm $configured -DBAREPROF_STACKS=8 "$zephyr"
runs "zephyr.c: interrupts nest and leave the context of the thread" "${CC:-cc}" $configured "$threads" "$zephyr"
runs "zephyr.c: ends of stacks" "${CC:-cc}" $configured $stacked "$threads" "$zephyr"

{
	printf '#include <bareprof/bareprof.h>\n#define IRAM_ATTR\n'
	shown docs/RTOS-BUILDS.md esp-idf.c
} >"$folder/esp-idf.c"
compiles "ESP-IDF: the handler of docs/RTOS-BUILDS.md" riscv64-unknown-elf-gcc -march=rv32imc -mabi=ilp32 -O2 \
	-Wno-unused-parameter -Wno-unused-function "$folder/esp-idf.c"
exit $((failures != 0))
