# SPDX-License-Identifier: MIT
# embed.awk -v style_hash=HASH -v script_hash=HASH page.html page.css page.js: C source that has the lines of the files in
# arrays, and the hashes, as host/diff/formats/html.h declares them.
BEGIN {
	split("html_page html_style html_script", names)
	print "/* SPDX-License-Identifier: MIT */\n#include \"diff/formats/html.h\"\n"
	printf "const char html_style_hash[] = \"%s\";\nconst char html_script_hash[] = \"%s\";\n", style_hash, script_hash
}

FNR == 1 {
	if (NR > 1)
		print "\tNULL,\n};"
	printf "\nconst char *const %s[] = {\n", names[++files]
}

{
	gsub(/[\\"?]/, "\\\\&") # two question marks may begin a trigraph
	gsub(/\t/, "\\t")
	printf "\t\"%s\\n\",\n", $0
}

END { print "\tNULL,\n};" }
