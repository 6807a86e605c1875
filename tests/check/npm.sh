#!/bin/bash
# SPDX-License-Identifier: MIT
# npm.sh FOLDER FILE...: copies the files, package.json and package-lock.json among them, into FOLDER and installs there what they
# name. The file FOLDER/installed is empty, or says why nothing was installed.
set -u
folder=$1
shift
mkdir -p "$folder" && cp "$@" "$folder" && cd "$folder" || exit 1
if ! command -v npm >/dev/null; then
	echo "npm is not installed" >installed
elif ! npm ci --ignore-scripts --no-audit --no-fund >install.log 2>&1; then
	echo "npm ci failed: $(grep -m1 'npm error' install.log)" >installed
else
	: >installed
fi
