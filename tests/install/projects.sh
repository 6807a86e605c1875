#!/bin/bash
# SPDX-License-Identifier: MIT
# Firmware that is built, run and reported with an installed tree alone, in a folder outside of the source tree: with make and
# pkg-config, and with CMake, as docs/PORTING.md shows.
source tests/install/support.sh

name="make install"
if make_install install DESTDIR="$outside/staging" PREFIX=/opt/bareprof; then
	ok "$name"
else
	not_ok "$name: $(tail -n 1 "$outside/install.log")"
fi
mv "$outside/staging/opt/bareprof" "$outside/prefix"
chmod -R a-w "$outside/prefix"
list_prefix() {
	(cd "$outside/prefix" && find . -type f -exec cksum {} + | sort)
}
list_prefix >"$outside/before"
bareprof=$outside/prefix/bin/bareprof

# build_make FOLDER, build_cmake FOLDER CORE: builds, without the source tree.
build_make() {
	away_environment=(PKG_CONFIG_PATH="$outside/prefix/lib/pkgconfig")
	away make -C "$1" -f source.mk
}
build_cmake() {
	away_environment=()
	away cmake -S "$1" -B "$1/build" -DCMAKE_TOOLCHAIN_FILE=toolchain.cmake -DCMAKE_PREFIX_PATH="$outside/prefix" -DCORE="$2" &&
		away cmake --build "$1/build"
}

for machine in mps2 virt; do
	for kind in make cmake; do
		folder=$outside/$machine-$kind name="an installed tree is enough: $machine, $kind${hides:+, the source tree hidden}"
		project "$machine" "$folder"
		if "build_$kind" "$folder" "${core_of[$machine]}" >"$folder/build.log" 2>&1; then
			runs "$machine" "$folder" "$(ls "$folder"/fw.elf "$folder"/build/fw.elf 2>/dev/null)" "$name"
		else
			not_ok "$name: $(grep -m 1 -i 'error\|\*\*\*' "$folder/build.log")"
		fi
	done
done

name="builds write nothing to the installed tree"
if difference=$(diff "$outside/before" <(list_prefix)); then
	ok "$name"
else
	not_ok "$name: $(sed -n 2p <<<"$difference")"
fi
chmod -R u+w "$outside/prefix"

# An error of make: one line that says what to do.
name="the folder to build in must be given by its full path"
if away make -C prefix/share/bareprof target ISA=arm_m CPU=cortex-m3 OUTPUT=build >"$outside/relative.log" 2>&1; then
	not_ok "$name: it was built"
elif grep -q 'missing OUTPUT=FOLDER, a path from the root' "$outside/relative.log"; then
	ok "$name"
else
	not_ok "$name: $(head -n 1 "$outside/relative.log")"
fi
exit $((failures != 0))
