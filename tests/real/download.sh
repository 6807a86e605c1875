#!/bin/bash
# SPDX-License-Identifier: MIT
# download.sh PACKAGE FOLDER: unpacks the upstream sources of a Debian source package into FOLDER, and leaves a file `unpacked`
# there that names the version. apt's configuration needs no source entries: a temporary configuration adds them for the
# configured repositories.
set -u
package=$1 folder=$2

fail() {
	echo "download.sh: $package: $*" >&2
	exit 1
}

rm -rf "$folder"
mkdir -p "$folder"/apt/{lists/partial,sources} || fail "$folder cannot be written"
apt=$PWD/$folder/apt
apt-get indextargets --format 'deb-src $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' 'Origin: Debian' |
	grep -v -e '-security ' -e '-updates ' >"$apt/sources/debian.list"
[[ -s $apt/sources/debian.list ]] || fail "apt knows no Debian repository: run apt-get update"
apt_get() {
	apt-get -q -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$apt/sources" -o Dir::State::lists="$apt/lists" \
		-o Dir::Cache::srcpkgcache="$apt/sources.bin" -o Dir::Cache::pkgcache="$apt/packages.bin" \
		-o APT::Sandbox::User=root "$@" >>"$apt/log" 2>&1 || fail "apt-get $1: $(grep -m 1 '^E:' "$apt/log")"
}
apt_get update
(cd "$apt" && apt_get source --download-only "$package") || exit 1
tar -xf "$apt"/*.orig.tar.* --strip-components=1 -C "$folder" || fail "the sources cannot be unpacked"
sed -n 's/^Version: //p' "$apt"/*.dsc >"$folder/unpacked.part"
rm -rf "$apt"
mv "$folder/unpacked.part" "$folder/unpacked"
