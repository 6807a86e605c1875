# SPDX-License-Identifier: MIT
# print FORMAT [OPTION]... [TITLE] <CASES: the cases as `bareprof diff --format=FORMAT` would print them.
print() { "${BAREPROF%bareprof}tests/print_comparison" "$@"; }
# print_text: the same as text, without lines of the head and of the whole firmware that an earlier case showed.
print_text() {
	print text "$@" | awk '!/^((Old|New|Work|Changes|Warning|The whole)|(\033.1m)? +old +new +change|  (time per call|code size)) ?/ || !seen[$0]++' | cat -s
}
