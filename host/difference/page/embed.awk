# SPDX-License-Identifier: MIT
# embed.awk -v page_css_hash=HASH -v page_js_hash=HASH FILE...: C source that has these, and each file, NAME.EXT, as an array of
# its lines, NAME_EXT. host/difference/html.h declares them.
function begin_file(path) {
	if (NR > 1)
		print "\tNULL,\n};"
	sub(/.*\//, "", path)
	sub(/\./, "_", path)
	printf "\nconst char *const %s[] = {\n", path
}

BEGIN {
	print "/* SPDX-License-Identifier: MIT */\n#include \"difference/html.h\"\n"
	printf "const char page_css_hash[] = \"%s\";\nconst char page_js_hash[] = \"%s\";\n", page_css_hash, page_js_hash
}

FNR == 1 { begin_file(FILENAME) }

{
	gsub(/[\\"?]/, "\\\\&") # two question marks may begin a trigraph
	gsub(/\t/, "\\t")
	printf "\t\"%s\\n\",\n", $0
}

END { print "\tNULL,\n};" }
