# SPDX-License-Identifier: MIT
# embed.awk -v style_hash=HASH -v script_hash=HASH page.html page.css page.js: C source that has the lines of the files in
# arrays, and the hashes, as host/page/files.h declares them.
BEGIN {
	split("page_html page_style page_script", names)
	print "/* SPDX-License-Identifier: MIT */\n#include \"page/files.h\"\n\n#include <stddef.h>"
	printf "const char page_style_hash[] = \"%s\";\nconst char page_script_hash[] = \"%s\";\n", style_hash, script_hash
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
