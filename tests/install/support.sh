# SPDX-License-Identifier: MIT
# Functions of installation tests; to be sourced, from the root of the repository. Sets outside, a new folder outside of the
# source tree, with blanks in its path if BLANKS is set before.
source tests/porting/support.sh

root=$PWD
outside=$(mktemp -d -t "bareprof${BLANKS:+ with blanks}.XXXXXX")
trap 'rm -rf "$outside"' EXIT

# away COMMAND [ARGUMENT]...: runs a command in the folder outside, without this environment and, where the kernel allows it,
# with an empty folder in place of the source tree.
away() {
	local hide=()
	if [[ -n $hides ]]; then
		# shellcheck disable=SC2016 # for the inner shell
		hide=(unshare --user --map-root-user --mount sh -c 'mount -t tmpfs none "$0" && exec "$@"' "$root")
	fi
	(cd "$outside" && env -i PATH="$outside/prefix/bin:$PATH" HOME="$outside" LC_ALL=C.UTF-8 "${away_environment[@]}" \
		"${hide[@]}" "$@")
}
away_environment=()
hides=yes
away true 2>"$outside/hides" || hides=

# make_install GOAL [ARGUMENT]...
make_install() {
	make --no-print-directory "$@" >"$outside/$1.log" 2>&1
}
