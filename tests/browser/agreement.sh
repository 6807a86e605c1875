#!/bin/bash
# SPDX-License-Identifier: MIT
# agreement.sh BAREPROF FOLDER EXPORTS DESCRIPTION...: whether `report`, `export json` and the page show the same
# numbers. The profiles are NAME.bprof with NAME.elf in EXPORTS, and profiles that golden tests describe for the
# firmware of five.elf. FOLDER is for files.
set -u
bareprof=$(realpath "$1") exports=$(realpath "$3")
rm -rf "$2" && mkdir -p "$2"
folder=$(realpath "$2")
shift 3
root=$(realpath "$(dirname "$0")/../..")
. "$root/tests/browser/browse.sh"

read_profile() {
	"$bareprof" report --html="$folder/$1.html" --no-source --force "$2" "$3" >/dev/null &&
		"$bareprof" report --force "$2" "$3" >"$folder/$1.text" &&
		"$bareprof" export json --force -o "$folder/$1.json" "$2" "$3" || echo "not ok $1: it cannot be read"
}

for capture in "$exports"/*.bprof; do
	read_profile "$(basename "$capture" .bprof)" "${capture%.bprof}.elf" "$capture"
done
for description in "$@"; do
	name=$(basename "$(dirname "$description")")
	"$root/build/tests/make_capture" <"$description" >"$folder/$name.bprof"
	read_profile "$name" "$exports/five.elf" "$folder/$name.bprof"
done 2>&1

# The page of one profile runs the scripts again with the data of each.
/usr/bin/python3 - "$folder" "$root/tests/browser" <<'END'
import glob
import json
import os
import re
import sys

folder, tests = sys.argv[1:]
profiles = []
for path in sorted(glob.glob(f"{folder}/*.text")):
    name = os.path.basename(path)[:-5]
    html = open(f"{folder}/{name}.html", encoding="utf-8").read()
    data = re.search(r'<script id="data" type="application/json">(.*)</script>', html).group(1)
    profiles.append({"name": name, "data": data, "truth": json.load(open(f"{folder}/{name}.json", encoding="utf-8")),
                     "text": open(path, encoding="utf-8").read()})
page = re.sub(r".*http-equiv=\"Content-Security-Policy\".*\n", "", open(f"{folder}/five.html", encoding="utf-8").read())
with open(f"{folder}/agreement-page.html", "w", encoding="utf-8") as output:
    output.write(page + '<script id="profiles" type="application/json">' + json.dumps(profiles).replace("<", "\\u003c") + "</script>\n<script>\n")
    output.write("".join(open(f"{tests}/{script}", encoding="utf-8").read() for script in ("common.js", "agreement.js")))
    output.write("</script>\n")
END
browse "$folder/agreement-page.html" --dump-dom --window-size=1400,1000 | grep -E '^(not )?ok ' | sed 's/&lt;/</g; s/&gt;/>/g' | grep . ||
	echo "not ok agreement: nothing was compared"
