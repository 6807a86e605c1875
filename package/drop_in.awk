# SPDX-License-Identifier: MIT
# Writes one of the drop-in files: FILEs in which each #include of a header of this project is
# replaced by the header, once. If the #include depends on a condition, which may be false, a later #include writes the
# header again, and its guard hides the copy. Headers of an ISA (ISAS, NAME:CONDITION) become alternatives.
#
#	awk -v ISAS="arm_m:defined(__arm__) ..." -v NOTE=TEXT -f package/drop_in.awk ARGUMENT...
#
# An argument is a FILE; @TEXT, a line to write as it is; !FILE, a header to leave out because the output
# includes it already; or ISA=FILE, a source for one ISA only.

function fail(what) {
	print "drop_in.awk: " what >"/dev/stderr"
	failed = 1
	exit 1
}

function exists(path, line) {
	if ((getline line <path) < 0)
		return 0
	close(path)
	return 1
}

# The path of a header that a file of the folder includes, or nothing.
function find(header, folder, isa) {
	if (header ~ /^bareprof\//)
		return "include/" header
	if (exists(folder "/" header))
		return folder "/" header
	if (exists("target/" header))
		return "target/" header
	if (isa != "" && exists("target/isa/" isa "/" header))
		return "target/isa/" isa "/" header
	return ""
}

function copy(from, to, key) {
	for (key in from)
		to[key] = 1
}

function include(header, folder, isa, known, is_certain, path, i, own) {
	path = find(header, folder, isa)
	if (path != "") {
		if (path in known)
			return
		if (is_certain) {
			known[path] = 1
			expand(path, isa, known)
		} else {
			copy(known, own)
			own[path] = 1
			expand(path, isa, own)
		}
		return
	}
	if (isa != "" || header in known)
		return isa == "" ? "" : fail(folder ": cannot find " header)
	known[header] = 1
	for (i = 1; i <= isa_count; i++) {
		print (i == 1 ? "#if " : "#elif ") condition[name[i]]
		delete own
		copy(known, own)
		include(header, folder, name[i], own, 1)
	}
	print "#else\n#error \"bareprof: there is no port to this core\"\n#endif"
}

function expand(path, isa, known, line, folder, depth, header) {
	folder = path
	sub(/\/[^\/]*$/, "", folder)
	depth = path ~ /\.h$/ ? -1 : 0
	print "\n/* ---- " path " ---- */"
	while ((getline line <path) > 0) {
		if (line ~ /^\/\* SPDX.*\*\/$/)
			continue
		if (line ~ /^#[ \t]*if/)
			depth++
		else if (line ~ /^#[ \t]*endif/)
			depth--
		if (line ~ /^#[ \t]*include[ \t]*(<bareprof\/|")/ && line !~ /bareprof_config\.h/) {
			header = line
			gsub(/^[^<"]*[<"]|[>"].*$/, "", header)
			include(header, folder, isa, known, depth == 0)
		} else
			print line
	}
	close(path)
}

# A source of one ISA.
function expand_for(isa, path, own) {
	print "#if " condition[isa]
	copy(known, own)
	expand(path, isa, own)
	print "#endif"
}

BEGIN {
	print "/* SPDX-License-Identifier: MIT */\n/* " NOTE " */"
	isa_count = split(ISAS, words, " ")
	for (i = 1; i <= isa_count; i++) {
		split(words[i], parts, ":")
		name[i] = parts[1]
		condition[parts[1]] = parts[2]
	}
	for (i = 1; i < ARGC; i++) {
		argument = ARGV[i]
		if (argument ~ /^@/)
			print substr(argument, 2)
		else if (argument ~ /^!/)
			known[substr(argument, 2)] = 1
		else if (split(argument, parts, "=") == 2)
			expand_for(parts[1], parts[2])
		else if (!(argument in known)) {
			known[argument] = 1
			expand(argument, "", known)
		}
	}
}
