#!/bin/sh
# SPDX-License-Identifier: MIT
# install.sh WHAT [ARGUMENT]...: installs below $DESTDIR$PREFIX, or removes what was installed there.
#
#	tool BAREPROF                             the program with its man pages, completion, schema and udev rules
#	sources VERSION                           what firmware is built from: headers, linker fragment, sources, packages
#	library NAME FILES VERSION INSTRUMENT     the library in the folder FILES and its pkg-config file
#	remove                                    all of these
#
# The list share/bareprof/installed has a line for each file and, ending in "/", for each folder that was not there before,
# all relative to PREFIX. It is written first, so that also an installation that failed half-way can be removed.
set -eu
umask 022
root=${DESTDIR-}$PREFIX
list=share/bareprof/installed
: "${INSTALL_PROGRAM=install -m 755}" "${INSTALL_DATA=install -m 644}"

fail() {
	echo "install: $*" >&2
	exit 1
}

make_folder() { # PATH
	[ ! -d "$root/$1" ] || return 0
	[ "$1" = . ] || make_folder "$(dirname "$1")"
	mkdir -p "$root/$1"
	folders="$folders$1/
"
}

# place INSTALL FILE PATH
place() {
	[ ! -d "$root/$3" ] || fail "$root/$3: is a folder, expected a file: remove it"
	make_folder "$(dirname "$3")"
	printf '%s%s\n' "$folders" "$3" >>"$root/$list"
	folders=
	$1 "$2" "$root/$3"
}

# place_tree FOLDER PATH
place_tree() {
	(cd "$1" && find . -type f) | sed 's|^\./||' | sort >"$work/tree"
	while IFS= read -r file; do
		place "$INSTALL_DATA" "$1/$file" "$2/$file"
	done <"$work/tree"
}

# place_filled FILE PATH: with the values of @NAME@, @VERSION@ and @INSTRUMENT@.
place_filled() {
	sed -e "s/@NAME@/${name-}/g" -e "s/@VERSION@/$version/g" -e "s/@INSTRUMENT@/${instrument-}/g" "$1" >"$work/filled"
	place "$INSTALL_DATA" "$work/filled" "$2"
}

place_tool() { # BAREPROF
	package/install_help.sh "$1" "$work/share"
	place "$INSTALL_PROGRAM" "$1" bin/bareprof
	place_tree "$work/share" share
	place "$INSTALL_DATA" docs/profile.schema.json share/bareprof/profile.schema.json
	place "$INSTALL_DATA" udev/70-bareprof-probes.rules lib/udev/rules.d/70-bareprof-probes.rules
}

# share/bareprof has the same folders as the source tree, so that BAREPROF in docs/PORTING.md may be either.
place_sources() { # VERSION
	version=$1
	place_tree include share/bareprof/include
	place_tree target share/bareprof/target
	place_tree package/tinyusb share/bareprof/package/tinyusb
	place "$INSTALL_DATA" linker/bareprof.ld share/bareprof/linker/bareprof.ld
	place "$INSTALL_DATA" package/library.mk share/bareprof/Makefile
	place "$INSTALL_DATA" LICENSE share/bareprof/LICENSE
	place "$INSTALL_DATA" package/bareprof-config.cmake lib/cmake/bareprof/bareprof-config.cmake
	place_filled package/bareprof-config-version.cmake.in lib/cmake/bareprof/bareprof-config-version.cmake
	place_filled package/bareprof.pc.in lib/pkgconfig/bareprof.pc
}

place_library() { # NAME FILES VERSION INSTRUMENT
	name=$1 version=$3 instrument=$4
	place "$INSTALL_DATA" "$2/libbareprof.a" "lib/bareprof/$name/libbareprof.a"
	place "$INSTALL_DATA" "$2/libbareprof.options" "lib/bareprof/$name/libbareprof.options"
	place_filled package/bareprof-library.pc.in "lib/pkgconfig/bareprof-$name.pc"
}

# Folders are removed only if they are empty.
remove() {
	[ -f "$root/$list" ] || fail "$root/$list: no such file: bareprof is not installed there; name the PREFIX of its make install"
	! grep -nE '^/|(^|/)\.\.(/|$)' "$root/$list" >&2 || fail "$root/$list: the lines above lead outside of $root: nothing was removed"
	sort -ru "$root/$list" >"$work/listed"
	grep -v '/$' "$work/listed" | while IFS= read -r file; do
		rm -f "$root/$file"
	done
	sed -n '\|/$|p' "$work/listed" | while IFS= read -r folder; do
		[ ! -d "$root/$folder" ] || rmdir --ignore-fail-on-non-empty "$root/${folder%./}"
	done
	[ -z "${DESTDIR-}" ] || remove_parents
}

# With DESTDIR, the installation also created the folders that lead to PREFIX.
remove_parents() {
	folder=$PREFIX
	while [ "$folder" != / ]; do
		rmdir "$DESTDIR$folder" 2>/dev/null || :
		folder=$(dirname "$folder")
	done
}

case $PREFIX in
/*) ;;
*) fail "PREFIX=$PREFIX: expected a path from the root, such as /usr/local" ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
folders=
what=$1
shift
case $what in
remove) remove ;;
*)
	make_folder "$(dirname $list)"
	printf '%s%s\n' "$folders" "$list" >>"$root/$list"
	folders=
	"place_$what" "$@"
	sort -u "$root/$list" >"$work/list"
	cat "$work/list" >"$root/$list"
	printf '  %-5s %s\n' COPY "$what to $root"
	;;
esac
