#!/bin/sh
# SPDX-License-Identifier: MIT
# older_newer.sh: makes two builds to compare with their captures, older.elf and newer.elf, in the current folder. Their
# build-ids match the captures.
set -eu
build() {
	sh "$(dirname "$0")/build.sh" "$1" --build-id="$2" --section-start=.note.gnu.build-id=0x7000
}

build older 0x01de000000000000000000000000000000000001
build newer 0x02ee000000000000000000000000000000000002
