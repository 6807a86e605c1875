#!/bin/bash
# SPDX-License-Identifier: MIT
# no_compilers.sh FOLDER: without cross compilers, make prints no message while it reads its files. FOLDER
# becomes the PATH: links to the commands of this machine, except the cross compilers and clang.
set -u
rm -rf "$1"
mkdir -p "$1" || exit 1
while read -r -d : folder; do
	find "$folder"/ -maxdepth 1 ! -type d ! -name '*-none-eabi-*' ! -name '*-elf-*' ! -name 'clang*' \
		-exec ln -sf -t "$1" {} +
done <<<"$PATH:"
messages=$(env -u MAKEFLAGS -u MAKELEVEL PATH="$1" make help 2>&1 >/dev/null)
rm -rf "$1"
if [[ -n $messages ]]; then
	echo "not ok make without cross compilers prints $(wc -l <<<"$messages") messages: ${messages%%$'\n'*}"
	exit 1
fi
echo "ok make needs no cross compiler to read its files"
