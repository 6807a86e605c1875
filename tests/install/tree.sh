#!/bin/bash
# SPDX-License-Identifier: MIT
# The files that `make install` and `make install-target` leave work without the source tree, and `make uninstall` removes
# them and nothing else. All of it in paths with blanks.
BLANKS=yes
source tests/install/support.sh
staging=$outside/staging prefix=$outside/prefix

# check NAME PROBLEM: empty without one.
check() {
	if [[ -z $2 ]]; then
		ok "$1"
	else
		not_ok "$1: $2"
	fi
}

# The files and folders below a folder.
list() {
	(cd "$1" && find . | sort)
}

# A prefix with files of others, some in the same folders.
mkdir -p "$staging/usr/share/bareprof" "$staging/usr/lib/pkgconfig" "$staging/usr/share/man/man1" "$staging/usr/bin"
touch "$staging/usr/share/bareprof/notes" "$staging/usr/lib/pkgconfig/other.pc"
list "$staging" >"$outside/before"

name="make install and install-target"
# A second installation replaces the first. `prefix` is PREFIX by its GNU name.
if make_install install-target ISA=arm_m CPU=cortex-m3 DESTDIR="$staging" PREFIX=/usr && make_install install DESTDIR="$staging" prefix=/usr &&
	make_install install DESTDIR="$staging" PREFIX=/usr; then
	ok "$name"
else
	not_ok "$name: $(cat "$outside"/install*.log | tail -n 1)"
fi
cp -a "$staging/usr" "$prefix"
list "$prefix" >"$outside/after"

name="the installed tree has each kind of file"
for file in bin/bareprof share/man/man1/bareprof.1 share/man/man1/bareprof-diff.1 share/bash-completion/completions/bareprof \
	share/zsh/site-functions/_bareprof share/fish/vendor_completions.d/bareprof.fish share/bareprof/profile.schema.json \
	lib/udev/rules.d/70-bareprof-probes.rules lib/pkgconfig/bareprof.pc lib/cmake/bareprof/bareprof-config.cmake \
	share/bareprof/include/bareprof/bareprof.h share/bareprof/linker/bareprof.ld share/bareprof/Makefile \
	share/bareprof/target/target.mk share/bareprof/target/recorder/arcs.c lib/bareprof/arm_m-cortex-m3/libbareprof.a \
	lib/pkgconfig/bareprof-arm_m-cortex-m3.pc; do
	grep -qxF "./$file" "$outside/after" || echo "$file"
done >"$outside/missing"
check "$name" "$(sed '1s/^/missing: /' "$outside/missing")"

check "everybody may read all files, and only the program is executable" "$(cd "$prefix" && find . -newer "$outside/before" \( -type f \
	! -perm 644 -o -type d ! -perm 755 \) ! -path ./bin/bareprof | head -n 1)"

# Debug information names the folder where the program was compiled.
strip -o "$outside/stripped" "$prefix/bin/bareprof"
check "no installed file names the source tree or DESTDIR" "$(cd "$prefix" && {
	grep -rlF --exclude=bareprof --exclude='*.a' -e "$root" -e "$staging" . || true
	grep -cF -e "$root" -e "$staging" "$outside/stripped" | grep -v '^0$'
})"

check "the program runs${hides:+, the source tree hidden}" "$(cmp <(build/bareprof help report) <(away bareprof help report) 2>&1)"
check "man finds the pages" "$(man -M "$prefix/share/man" -w bareprof-report 2>&1 | grep -vxF "$prefix/share/man/man1/bareprof-report.1")"
tests/help/man.sh "$prefix/bin/bareprof" "$prefix"
tests/check/udev.sh "$prefix/lib/udev/rules.d/70-bareprof-probes.rules" host/acquire/probe/*.c

declare -A completion=([bash]=bash-completion/completions/bareprof [zsh]=zsh/site-functions/_bareprof
	[fish]=fish/vendor_completions.d/bareprof.fish)
for shell in "${!completion[@]}"; do
	mkdir -p "$work/$shell/place"
	offered=$(PATH=$prefix/bin:$PATH tests/help/complete.sh "$shell" "$prefix/share/${completion[$shell]}" "$work/$shell" <<<'bareprof anno')
	[[ $offered != annotate ]] || offered=
	check "$shell completes a command" "${offered:+offers '$offered' instead of annotate}"
done

# Removal: files of others stay, also one that was added to a folder of the installation.
touch "$staging/usr/share/bareprof/include/own.h"
name="make uninstall leaves what was there before"
make_install uninstall DESTDIR="$staging" PREFIX=/usr || not_ok "make uninstall: $(tail -n 1 "$outside/uninstall.log")"
check "a folder with a file of somebody else stays" "$([[ -f $staging/usr/share/bareprof/include/own.h ]] || echo "it is gone")"
rm -rf "$staging/usr/share/bareprof/include"
check "$name" "$(diff "$outside/before" <(list "$staging") | sed -n 2p)"

make_install install DESTDIR="$outside/empty" PREFIX=/opt/bareprof && make_install uninstall DESTDIR="$outside/empty" PREFIX=/opt/bareprof
check "make uninstall leaves nothing of a new DESTDIR" "$(list "$outside/empty" | grep -vxF .)"

make_install install-strip PREFIX="$outside/own prefix"
check "without DESTDIR, install-strip writes to PREFIX, without debug information" "$(readelf -SW "$outside/own prefix/bin/bareprof" 2>&1 |
	grep -m 1 'debug_info\|No such file')"
make_install uninstall PREFIX="$outside/own prefix"
check "PREFIX goes if the installation made it" "$(find "$outside/own prefix" 2>/dev/null)"

# refuses NAME TEXT ARGUMENT...: this make fails, and its log has the text.
refuses() {
	local name=$1 text=$2
	shift 2
	if make_install "$@"; then
		not_ok "$name: done"
	else
		check "$name" "$(grep -qF "$text" "$outside/$1.log" || head -n 1 "$outside/$1.log")"
	fi
}
refuses "removal without an installation is refused" "share/bareprof/installed: no such file: bareprof is not installed there" \
	uninstall DESTDIR="$staging" PREFIX=/usr
refuses "a relative PREFIX is refused" "PREFIX=usr: expected a path from the root" install PREFIX=usr
mkdir -p "$outside/folder/bin/bareprof"
refuses "a folder in place of a file is refused" "bin/bareprof: is a folder, expected a file: remove it" install PREFIX="$outside/folder"
mkdir -p "$outside/evil/share/bareprof"
touch "$outside/victim"
printf '%s\n' ../victim share/ >"$outside/evil/share/bareprof/installed"
refuses "a list with paths outside of PREFIX is refused" "nothing was removed" uninstall PREFIX="$outside/evil"
check "such a list removes nothing" "$([[ -f $outside/victim ]] || echo "it removed a file")"
name="a full disk leaves an installation that can be removed"
if make_install install PREFIX="$outside/full" INSTALL_DATA="bash -c '[[ \$1 != */target.mk ]] && install -m 644 \"\$@\"' --"; then
	not_ok "$name: it succeeded"
else
	make_install uninstall PREFIX="$outside/full"
	check "$name" "$(find "$outside/full" 2>/dev/null)"
fi
exit $((failures != 0))
