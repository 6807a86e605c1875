#!/bin/bash
# SPDX-License-Identifier: MIT
# man.sh BAREPROF ROOT: each command has a man page below ROOT, in which mandoc finds nothing to warn of, with an example that
# begins with the command.
set -u
bareprof=$1
pages=$2/share/man/man1

check() { # NAME PROBLEM: empty without one
	[ -z "$2" ] && echo "ok $1" || echo "not ok $1: $2"
}

commands=$("$bareprof" --help | sed -n '/^Commands:$/,/^$/s/^  \([^ ]*\) .*/\1/p')
[ -n "$commands" ] || echo "not ok commands: none found"
for name in bareprof $(printf 'bareprof-%s\n' $commands); do
	check "mandoc accepts $name.1" "$(mandoc -T lint -W warning "$pages/$name.1" 2>&1)"
	[ "$name" != bareprof ] || continue
	example=$(sed -n -e 's/\\-/-/g' -e '/^\.SH EXAMPLES$/,/^\.fi$/s/^bareprof \([a-z-]*\).*/\1/p' "$pages/$name.1")
	[ "${example%%$'\n'*}" = "${name#bareprof-}" ] || missing=yes
	check "$name.1 has an example" "${missing-}"
	unset missing
done
check "no other pages" "$(cd "$pages" && ls | grep -vxFf <(echo bareprof.1; printf 'bareprof-%s.1\n' $commands))"
