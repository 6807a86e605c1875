#!/bin/bash
# SPDX-License-Identifier: MIT
# The Zephyr module and the ESP-IDF component, with their examples, built with stubs of Zephyr's and ESP-IDF's build
# systems (zephyr/, esp-idf/): configured by kconfiglib and CMake, compiled, not linked.
source tests/emulated/support.sh
unset MAKEFLAGS MFLAGS MAKELEVEL
tree=build/release-tree
export ZEPHYR_BASE=$PWD/tests/packages/zephyr IDF_PATH=$PWD/tests/packages/esp-idf

# zephyr FOLDER CPU [SETTING]...: configures the example with these settings in addition to its own.
zephyr() {
	local folder=$work/$1 cpu=$2
	mkdir -p "$folder" && printf '%s\n' "${@:3}" >"$folder/extra.conf"
	cmake -S $tree/examples/zephyr -B "$folder" -DCMAKE_SYSTEM_NAME=Generic -DCMAKE_C_COMPILER=arm-none-eabi-gcc \
		-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY -DCPU="$cpu" -DEXTRA_CONF_FILE="$PWD/$folder/extra.conf" >"$folder/log" 2>&1
}

# compiled NAME FOLDER: compiles it without a warning.
compiled() {
	cmake --build "$work/$2" --verbose >>"$work/$2/log" 2>&1 && ! grep -q 'warning:' "$work/$2/log" && return
	not_ok "$1: $(grep -m 1 -iE 'error:|warning:' "$work/$2/log")"
	return 1
}

object() { find "$work/$1" -path "*$2*.obj"; }
# Names that an object of a folder refers to or defines, U or T.
names() { arm-none-eabi-nm "$(object "$1" "$2")" | awk -v kind="$3" '$(NF - 1) == kind { print $NF }'; }
block_size() { arm-none-eabi-size -A "$(object "$1" sampling.c)" | awk '$1 == ".bss.bareprof" { print $2 }'; }

# expect NAME FOUND WANTED
expect() {
	if [[ $2 == "$3" ]]; then
		ok "$1"
	else
		not_ok "$1: found $2, not $3"
	fi
}

name="Zephyr: the example compiles"
if ! zephyr plain cortex-m4; then
	not_ok "$name: $(grep -v '^--' "$work/plain/log" | head -n 1)"
elif compiled "$name" plain; then
	expect "$name: its calls are recorded" "$(names plain main.c U | tr '\n' ' ')" "__gnu_mcount_nc sampling_begin "
	expect "$name: and not bareprof's" "$(names plain /bareprof.c U | grep -c mcount)" 0
	expect "$name: the block is of 8 KB" "$(block_size plain)" 7680
fi

name="Zephyr: Kconfig sets the options of all files"
settings=(KB=2 CONTEXTS=4 STACKS=8 STACK_BYTES=64 HASH_BYTES=0x1000)
zephyr options cortex-m4 "${settings[@]/#/CONFIG_BAREPROF_}"
if compiled "$name" options; then
	wanted=bareprof_init_with_stacks_with_contexts
	expect "$name: the application" "$(names options sampling.c U | grep bareprof_init)" $wanted
	expect "$name: the recorder" "$(names options /bareprof.c T | grep -x 'bareprof_init.*')" $wanted
	mkdir "$work/by-hand"
	arm-none-eabi-gcc -c -mcpu=cortex-m4 -mthumb -I$tree/src -I"$ZEPHYR_BASE/include" -DCONFIG_ZERO_LATENCY_IRQS=1 \
		"${settings[@]/#/-DBAREPROF_}" $tree/examples/zephyr/sampling.c -o "$work/by-hand/sampling.c.obj"
	expect "$name: the block" "$(block_size options)" "$(block_size by-hand)"
fi

name="Zephyr: threads are contexts"
if message=$(arm-none-eabi-gcc -c -mcpu=cortex-m4 -mthumb -Wall -Wextra -Werror -I$tree/src -Itests/porting/rtos -DBAREPROF_CONTEXTS=4 \
	-DCONFIG_TRACING_USER=1 -DCONFIG_THREAD_NAME=1 $tree/extras/bareprof_zephyr.c -o "$work/threads.o" 2>&1); then
	expect "$name" "$(arm-none-eabi-nm "$work/threads.o" | grep -c ' T sys_trace_')" 3
else
	not_ok "$name: $(grep -m 1 error <<<"$message")"
fi

name="Zephyr: without calls"
zephyr samples cortex-m4 CONFIG_BAREPROF_CALLS=n
compiled "$name" samples && expect "$name, nothing is recorded" "$(names samples main.c U | tr '\n' ' ')" "sampling_begin "

name="Zephyr: a Cortex-M0 gets -ffixed options"
zephyr baseline cortex-m0 CONFIG_ARMV6_M_ARMV8_M_BASELINE=y
cmake --build "$work/baseline" --target module --verbose >>"$work/baseline/log" 2>&1
expect "$name" "$(grep -E ' -pg -ffixed-r8 -ffixed-r9 -ffixed-r10 -ffixed-r11 .*bareprof\.c$' -c "$work/baseline/log")" 1

# SETTINGS that must be refused, and the message.
while IFS=$'\t' read -r setting message; do
	name="Zephyr: $setting is refused"
	if zephyr refused cortex-m4 "$setting"; then
		not_ok "$name: it was accepted"
	elif grep -qF "$message" "$work/refused/log"; then
		ok "$name"
	else
		not_ok "$name: $(grep -v '^--' "$work/refused/log" | head -n 1)"
	fi
	rm -rf "$work/refused"
done <<'EOF'
CONFIG_USERSPACE=y	BAREPROF was set to 2, but is n
CONFIG_BAREPROF_KBYTES=2	undefined symbol BAREPROF_KBYTES
CONFIG_BAREPROF_CONTEXTS=70000	BAREPROF_CONTEXTS
EOF

name="ESP-IDF: the example compiles"
mkdir -p "$work/esp-idf"
cmake -S $tree/examples/esp-idf -B "$work/esp-idf" >"$work/esp-idf/log" 2>&1
if compiled "$name" esp-idf; then
	expect "$name: app_main is recorded" "$(riscv64-unknown-elf-nm "$(object esp-idf main.c)" | awk '$NF ~ /^(app_main|_mcount)$/ { print $NF }' | sort | tr '\n' ' ')" "_mcount app_main "
	outside=$(for file in $(object esp-idf bareprof); do
		riscv64-unknown-elf-objdump -h "$file" | awk '$2 ~ /text/ && $3 !~ /^0+$/ { print $2 }'
	done)
	expect "$name: the recorder is in IRAM" "$outside" ""
fi
exit $((failures != 0))
