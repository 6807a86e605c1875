# SPDX-License-Identifier: MIT
# embed.awk -v header=HEADER FILE...: C source that has the lines of each file in an array, which HEADER declares by the
# name of the file, with _ for the period.
BEGIN { printf "/* SPDX-License-Identifier: MIT */\n#include \"%s\"\n\n#include <stddef.h>\n", header }

FNR == 1 {
	if (NR > 1)
		print "\tNULL,\n};"
	name = FILENAME
	sub(/.*\//, "", name)
	sub(/\./, "_", name)
	printf "\nconst char *const %s[] = {\n", name
}

{
	gsub(/[\\"?]/, "\\\\&") # two question marks may begin a trigraph
	gsub(/\t/, "\\t")
	printf "\t\"%s\\n\",\n", $0
}

END { print "\tNULL,\n};" }
