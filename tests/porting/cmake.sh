#!/bin/bash
# SPDX-License-Identifier: MIT
# CMake, with the package installed and then moved, and with the package in the source tree.
source tests/porting/support.sh

# builds MACHINE NAME CALLER OPTION...: cmake with these options; CALLER calls work().
builds() {
	local folder="$work/$1-$2" machine=$1 name="CMake: $1, $2" caller=$3
	shift 3
	project "$machine" "$folder"
	if cmake -S "$folder" -B "$folder/build" -DCMAKE_TOOLCHAIN_FILE=toolchain.cmake -DCORE="${core_of[$machine]}" "$@" \
		>"$folder/cmake.log" 2>&1 && cmake --build "$folder/build" --verbose >>"$folder/cmake.log" 2>&1; then
		runs "$machine" "$folder" "$folder/build/fw.elf" "$name" "$caller"
	else
		not_ok "$name: $(grep -m 1 -i error "$folder/cmake.log")"
	fi
}

install_target >"$work/install.log" 2>&1 || not_ok "make install-target: $(tail -n 1 "$work/install.log")"
for machine in mps2 virt; do
	builds "$machine" installed main -DCMAKE_PREFIX_PATH="$prefix"
	builds "$machine" source-tree main -Dbareprof_DIR="$PWD/package"
done
# With link-time optimisation, main() is inlined into its only caller.
builds mps2 lto Reset_Handler -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON \
	-DCMAKE_C_STANDARD_LIBRARIES="-lc -lgcc"
CFLAGS=-DBAREPROF_CONTEXTS=4 builds mps2 contexts main -DCMAKE_PREFIX_PATH="$prefix" -DCORE=arm_m-cortex-m4f+contexts
CFLAGS=-DBAREPROF_STACKS=8 builds mps2 stacks main -DCMAKE_PREFIX_PATH="$prefix" -DCORE=arm_m-cortex-m4f+stacks

name="CMake: clang gets its own option to record calls"
if cmake -S "$work/mps2-installed" -B "$work/clang" -DCMAKE_SYSTEM_NAME=Generic -DCMAKE_C_COMPILER=clang \
	-DCMAKE_C_COMPILER_TARGET=arm-none-eabi -DCMAKE_C_FLAGS="-mcpu=cortex-m4 -ffreestanding" \
	-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY -DCMAKE_PREFIX_PATH="$prefix" >"$work/clang.log" 2>&1 &&
	make -C "$work/clang" work.c.obj >>"$work/clang.log" 2>&1 &&
	nm "$(find "$work/clang" -name work.c.obj)" | grep -q 'U __cyg_profile_func_enter'; then
	ok "$name"
else
	not_ok "$name: $(tail -n 1 "$work/clang.log")"
fi

name="CMake: an unknown core is reported, with those that are known"
if cmake -S "$work/mps2-installed" -B "$work/absent" -DCMAKE_TOOLCHAIN_FILE=toolchain.cmake -DCORE=arm_m-cortex-m99 \
	-DCMAKE_PREFIX_PATH="$prefix" >"$work/absent.log" 2>&1; then
	not_ok "$name: it was found"
elif tr -s ' \n' ' ' <"$work/absent.log" | grep -q 'arm_m-cortex-m99 cannot be built: .* knows no core "cortex-m99"; CPU= is one of'; then
	ok "$name"
else
	not_ok "$name: $(grep -m 1 -i error "$work/absent.log")"
fi
exit $((failures != 0))
