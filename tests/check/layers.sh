#!/bin/bash
# SPDX-License-Identifier: MIT
# layers.sh ROOT: holds the #include lines of ROOT/host and ROOT/target against ROOT/host/layers.txt. The target library
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
	FILENAME == "host/layers.txt" {
		sub(/#.*/, "")
		if ($0 !~ /:/)
			next
		if ($1 in allowed) {
			print "not ok layers host/layers.txt: " $1 " has two lines"
			bad++
		}
		allowed[$1] = " " $1 " "
		rights[$1] = $2
		count = split($2, names, " ")
		for (i = 1; i <= count; i++) {
			if (!(names[i] in allowed) || names[i] == $1) {
				print "not ok layers host/layers.txt: " $1 " names " names[i] ", which has no line above"
				bad++
			}
			allowed[$1] = allowed[$1] names[i] " "
		}
		next
	}
	{
		seen++
		count = split($1, path, "/")
		from = path[2]
		if (!(from in allowed)) {
			complain(from " has no line in host/layers.txt")
			next
		}
		header = $3
		if (header ~ /^<bareprof\// && header !~ /^<bareprof\/(block|frame)\.h>$/)
			complain(header " is for firmware; the host shares <bareprof/block.h> and <bareprof/frame.h> only")
		if (header ~ /^</)
			next
		gsub(/"/, "", header)
		if (header ~ /^\.|^[^\/]*$/ || header !~ /^[a-z]/)
			complain("\"" header "\" must be written as folder/header.h, from host/")
		else {
			to = header
			sub(/\/.*/, "", to)
			used[from, to] = 1
			if (index(allowed[from], " " to " ") == 0)
				complain(from " may not include \"" header "\"")
		}
	}
	END {
		for (from in rights) {
			count = split(rights[from], names, " ")
			for (i = 1; i <= count; i++)
				if (!((from, names[i]) in used)) {
					print "not ok layers host/layers.txt: " from " may include " names[i] " and does not"
					bad++
				}
		}
		if (bad == 0 && seen > 0)
			print "ok layers: " seen " includes of host/ obey host/layers.txt"
	}' host/layers.txt -

# A header of the host is one that is found from host/ but not beside the file that includes it.
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
