#!/bin/bash
# SPDX-License-Identifier: MIT
# profile.sh BAREPROF PAGES FOLDER...: the page of each capture NAME.bprof of the folders, with NAME.elf, in Chromium: its numbers
# compared with JSON, and its use. PAGES is the folder for the pages.
set -u
bareprof=$(realpath "$1")
mkdir -p "$2"
folder=$(realpath "$2")
shift 2
root=$(realpath "$(dirname "$0")/../..")
. "$root/tests/browser/browse.sh"

# inspect PAGE CAPTURE [OPTION]...: CAPTURE without .bprof. The policy of the page would block this script, so it is removed. JSON
# may have the end of an element in names.
inspect() {
	local name=$1 elf=$2.elf bprof=$2.bprof
	(cd "$root" && "$bareprof" report --html="$folder/$name.html" "${@:3}" "$elf" "$bprof" >/dev/null) || {
		echo "not ok $name: there is no page"
		return
	}
	{
		grep -v 'http-equiv="Content-Security-Policy"' "$folder/$name.html"
		printf '<script id="truth" type="application/json">'
		"$bareprof" export json "$elf" "$bprof" | sed 's/</\\u003c/g'
		printf '</script>\n<script data-page="%s">\n' "$name"
		cat "$root"/tests/browser/{common,inspect_profile}.js
		printf '</script>\n'
	} >"$folder/$name-inspected.html"
	browse "$folder/$name-inspected.html" --dump-dom --window-size=1400,1000 | grep -E '^(not )?ok ' |
		sed "s/ok /ok $name: /; s/&lt;/</g" | grep . || echo "not ok $name: nothing was inspected"
}

for capture in $(printf '%s/*.bprof ' "$@"); do
	inspect "$(basename "$capture" .bprof)" "$(realpath "${capture%.bprof}")"
done
inspect regions "$(realpath "$1")/demo" --region low=0-0xd00 --region high=0xd00-0x100000

# With its policy, the page's own script runs. Requests by Chromium itself have no origin.
page=$(browse "$folder/demo.html" --dump-dom --log-net-log="$folder/requests.json")
expect "the script runs under the page's policy" '<body class="live profile">' "$page"
refuse "the page makes no network request" '"initiator":"(null|file:)' "$(<"$folder/requests.json")"
for script in true false; do
	page=$(print demo --blink-settings=scriptEnabled=$script)
	expect "functions are printed, scripts are $script" '17\.[0-9]+ .*fir_step|fir_step .*17\.[0-9]+' "$page"
	refuse "controls are not printed, scripts are $script" 'Search|Show more|zoom in' "$page"
done
