#!/bin/bash
# SPDX-License-Identifier: MIT
# tree.sh VERSION: build/release-tree has the files of tree.txt and the headers of all timers, and its manifests have
# the form that their registries document. Then each manifest is broken, which must be found.
source tests/emulated/support.sh
version=$1 tree=build/release-tree

# problems FOLDER: prints the problems of the manifests of a tree.
problems() {
	/usr/bin/python3 tests/packages/manifests.py "$1" "$version" 2>&1
	xmllint --noout --relaxng tests/packages/pack.rng "$1/bareprof.bareprof.pdsc" 2>&1 | grep -v ' validates$'
	grep -rnE '@[A-Z]+@' "$1" | grep -v '^[^:]*\.[chS]:'
}

name="the tree has the listed files and no others"
(cat tests/packages/tree.txt && for header in include/bareprof/timer_*.h; do
	[[ $header == */timer_isr.h ]] || echo "src/bareprof_${header##*/}"
done) | LC_ALL=C sort >"$work/wanted"
if difference=$(diff "$work/wanted" <(cd $tree && find . -type f | sed 's|^\./||' | LC_ALL=C sort)); then
	ok "$name"
else
	not_ok "$name: $(grep '^[<>]' <<<"$difference" | tr '\n' ' ')"
fi

found=$(problems $tree)
if [[ -z $found ]]; then
	ok "the manifests have the documented form"
else
	not_ok "the manifests: $found"
fi

# The tree stays as it is.
name="a URL that the manifests cannot have is refused"
cp -r $tree "$work/before"
for url in 'https://example.org/a|b' 'https://example.org/?a&b' "https://example.org/it's"; do
	if env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s release-tree RELEASE_URL="$url" >"$work/url.log" 2>&1; then
		not_ok "$name: $url"
	elif grep -q '^RELEASE_URL has' "$work/url.log" && diff -r $tree "$work/before" >>"$work/url.log"; then
		ok "$name: $url"
	else
		not_ok "$name: $url: $(head -n 1 "$work/url.log")"
	fi
done

# FILE, how it is broken, and what must be reported.
while IFS=$'\t' read -r file change wanted; do
	rm -rf "$work/broken" && cp -r $tree "$work/broken"
	sed -i "$change" "$work/broken/$file"
	if cmp -s "$work/broken/$file" "$tree/$file"; then
		not_ok "$file, $change: changes nothing"
	elif found=$(problems "$work/broken" | grep -F -e "$wanted"); then
		ok "a broken $file is found: $wanted"
	else
		not_ok "$file, $change: nothing is found"
	fi
done <<'EOF'
library.json	s/"license"/"licence"/	no license
library.json	s/false/true/	an archive
library.json	s/"version": ".*"/"version": "0.0.9"/	version 0.0.9
library.json	s/},*$/}},/	JSONDecodeError
library.properties	/^maintainer/d	no maintainer
library.properties	s/^category=.*/category=Profiling/	category Profiling
library.properties	s/^includes=.*/includes=profile.h/	profile.h: there is no such file
library.properties	s/^dot_a_linkage=.*/dot_a_linkage=true/	an archive
idf_component.yml	s/^targets:/target:/	target: not a documented key
idf_component.yml	s/^url:.*/url: none/	no URL
bareprof.bareprof.pdsc	s/sourceAsm/sourceS/	Relax-NG validity error
bareprof.bareprof.pdsc	s/ Cgroup="Profiler"//	Relax-NG validity error
bareprof.bareprof.pdsc	/<url>/d	Relax-NG validity error
bareprof.bareprof.pdsc	s|src/bareprof.c|src/recorder.c|	src/recorder.c: there is no such file
bareprof.bareprof.pdsc	s/condition id="/&Some /	there is no condition
examples/stm32/platformio.ini	s/-pg //	no -pg
examples/stm32/platformio.ini	s|symlink://.*|symlink://..|	library.json: there is no such file
examples/stm32/example.cproject.yml	s/sampling.c/sample.c/	sample.c: there is no such file
examples/stm32/example.cproject.yml	s/Profiler/Trace/	is used
examples/esp-idf/main/idf_component.yml	s|path:.*|path: ..|	idf_component.yml: there is no such file
README.md	1s/^# bareprof.*/# bareprof @VERSION@/	@VERSION@
EOF
exit $((failures != 0))
