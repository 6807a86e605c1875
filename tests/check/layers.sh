#!/bin/bash
# SPDX-License-Identifier: MIT
# layers.sh ROOT: checks the #include lines of ROOT/host and ROOT/target against ROOT/host/layers.txt. The target library
# and the firmware's headers include nothing of the host.
set -u
cd "$1" || exit 1

# Every #include as FILE:LINE:HEADER, the header with its quotes or angle brackets.
includes()
{
	find "$@" -name '*.[chS]' -exec grep -nE '^[[:space:]]*#[[:space:]]*include' /dev/null {} + 2>/dev/null |
		sed -E 's/^([^:]*:[0-9]+):[[:space:]]*#[[:space:]]*include[[:space:]]*/\1:/; s/([">])[^">]*$/\1/' | sort
}

includes host | awk -F: '
	function complain(what) {
		print "not ok layers " $1 ":" $2 ": " what
		bad++
	}
	function complain_of_rule(what) {
		print "not ok layers host/layers.txt: " what
		bad++
	}
	# The folder of a path that is relative to host/, without its group.
	function folder_of(path, parts) {
		return split(path, parts, "/") > 2 ? parts[2] : "."
	}

	FILENAME == "host/layers.txt" {
		sub(/#.*/, "")
		if ($0 !~ /:/)
			next
		group = $1
		if (group in groups)
			complain_of_rule(group " has two lines")
		groups[group] = ++lines
		bar = split($2, sides, "|")
		count = split(sides[1], names, " ")
		for (i = 1; i <= count; i++) {
			if (!(names[i] in groups) || names[i] == group)
				complain_of_rule(group " names " names[i] ", which has no line above")
			rights[group, names[i]] = 1
		}
		count = split(bar > 1 ? sides[2] : ".", names, " ")
		for (i = 1; i <= count; i++) {
			if ((group, names[i]) in order)
				complain_of_rule(group " names its folder " names[i] " twice")
			order[group, names[i]] = i
		}
		next
	}
	{
		seen++
		path = substr($1, length("host/") + 1)
		group = path
		sub(/\/.*/, "", group)
		folder = folder_of(path)
		if (!(group in groups)) {
			complain(group " has no line in host/layers.txt")
			next
		}
		if (!((group, folder) in order)) {
			complain("host/layers.txt does not name folder " folder " of " group)
			next
		}
		found[group, folder] = 1
		header = $3
		if (header ~ /^<bareprof\// && header !~ /^<bareprof\/(block|frame|unwind_table)\.h>$/)
			complain(header " is for firmware; the host shares block.h, frame.h and unwind_table.h only")
		if (header ~ /^</)
			next
		gsub(/"/, "", header)
		if (header ~ /^\.|^[^\/]*$|\/\.\.?\// || header !~ /^[a-z]/) {
			complain("\"" header "\" must be written as group/header.h or group/folder/header.h, from host/")
			next
		}
		to = header
		sub(/\/.*/, "", to)
		to_folder = folder_of(header)
		if (to != group) {
			used[group, to] = 1
			if (!((group, to) in rights))
				complain(group " may not include \"" header "\"")
		} else if (!((to, to_folder) in order) || order[to, to_folder] > order[group, folder])
			complain("folder " folder " of " group " may not include \"" header "\"")
	}
	END {
		for (right in rights)
			if (!(right in used)) {
				split(right, names, SUBSEP)
				complain_of_rule(names[1] " may include " names[2] " and does not")
			}
		for (place in order)
			if (!(place in found)) {
				split(place, names, SUBSEP)
				complain_of_rule("folder " names[2] " of " names[1] " has no includes")
			}
		if (bad == 0 && seen > 0)
			print "ok layers: " seen " includes of host/ obey host/layers.txt"
	}' host/layers.txt -

# A header of the host is one that is found from host/ but not next to the file that includes it.
includes target include | {
	seen=0 bad=0
	while IFS=: read -r file line header; do
		seen=$((seen + 1))
		name=${header:1:-1}
		if [[ $name == *host/* ]] || { [ -e "host/$name" ] && [ ! -e "$(dirname "$file")/$name" ] &&
			[ ! -e "target/$name" ]; }; then
			echo "not ok layers $file:$line: the target library may not include $header of the host"
			bad=1
		fi
	done
	[ $bad = 1 ] || [ $seen = 0 ] || echo "ok layers: $seen includes of target/ and include/ stay away from host/"
}
