#!/bin/bash
# SPDX-License-Identifier: MIT
# install.sh FOLDER: installs the emulator and run.mjs into FOLDER. The file FOLDER/installed is empty, or states why there is
# no emulator.
set -u
cd "$(dirname "$0")" || exit 1
mkdir -p "$OLDPWD/$1" && cp package.json package-lock.json run.mjs "$OLDPWD/$1/" && cd "$OLDPWD/$1" || exit 1
if ! command -v npm >/dev/null; then
	echo "npm is not installed" >installed
elif ! npm ci --ignore-scripts --no-audit --no-fund >install.log 2>&1; then
	echo "npm ci failed: $(grep -m1 'npm error' install.log)" >installed
else
	: >installed
fi
