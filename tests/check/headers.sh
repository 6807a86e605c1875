#!/bin/bash
# SPDX-License-Identifier: MIT
# headers.sh FOLDER: make compiles an object again if a header that it includes was moved or deleted, and only then. FOLDER
# is for a copy of the library's sources.
set -u
object=build/target/native-host/recorder/arcs.o
rm -rf "$1"
mkdir -p "$1" && cp -r include package target "$1" && cd "$1" || exit 1

# compiled: makes the object and prints how often it was compiled.
compiled() {
	env -u MAKEFLAGS -u MAKELEVEL make -f package/library.mk OUTPUT="$PWD/build" "$PWD/$object" 2>/dev/null | grep -c '^  CC'
}
# check NAME TIMES
check() {
	local times
	times=$(compiled)
	if [[ $times == "$2" ]]; then
		echo "ok $1"
	else
		echo "not ok $1: compiled $times times, not $2"
	fi
}

sed -i '1i #include "extra.h"' target/recorder/arcs.c
touch target/recorder/extra.h
check "an object that does not exist is compiled" 1
check "an object whose headers did not change is kept" 0
mv target/recorder/extra.h target/recorder/moved.h
check "an object is compiled again if its header was moved" 1
mv target/recorder/moved.h target/recorder/extra.h
check "an object is kept if the compiler refused it meanwhile and its header is back" 0
