#!/bin/bash
# SPDX-License-Identifier: MIT
# Installs the packages of packages.txt that are missing, after printing them. NO_INSTALL=1: prints them and fails.
# Asks nothing, and needs only bash and dpkg, because nothing else may be installed yet. --quiet: prints nothing if all
# packages are installed.
set -eu
list=$(dirname "$0")/packages.txt
wanted=$(awk '$1 !~ /^#/ && NF > 0 { print $1 }' "$list")

if ! command -v dpkg-query >/dev/null; then
	[ "${1-}" = --quiet ] && exit 0
	echo "Not a Debian system, so nothing is installed. What these Debian packages hold is needed:"
	exec grep -v '^#' "$list"
fi

installed=$(dpkg-query -W -f='${Package} ${db:Status-Status}\n' $wanted 2>/dev/null |
	awk '$2 == "installed" { print $1 }' || true)
missing=
for package in $wanted; do
	[[ $'\n'$installed$'\n' == *$'\n'"$package"$'\n'* ]] || missing+="$package "
done

if [ -z "$missing" ]; then
	[ "${1-}" = --quiet ] || echo "All $(wc -w <<<"$wanted") packages of $list are installed."
	exit 0
fi

echo "Missing packages:"
for package in $missing; do
	grep "^$package " "$list" | sed 's/^/  /'
done
if [ "${NO_INSTALL-}" = 1 ]; then
	echo "NO_INSTALL=1, so nothing was installed. Install them with: apt-get install" $missing >&2
	exit 1
fi

root=
if [ "$(id -u)" != 0 ]; then
	if ! command -v sudo >/dev/null; then
		echo "Neither root nor sudo here. Install them as root with: apt-get install" $missing >&2
		exit 1
	fi
	root="sudo"
fi
$root apt-get update -q
$root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing
