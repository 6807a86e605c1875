#!/bin/bash
# SPDX-License-Identifier: MIT
# page.sh FOLDER: the pages small.html, same.html and large.html of FOLDER in Chromium: reading, printing, hostile names. The
# golden test diff-html checks their bytes.
set -u
folder=$(realpath "$1")
cd "$(dirname "$0")" || exit 1

# browse FILE [OPTION]...: Chromium that remembers nothing and finds no host. What it prints goes to the standard output.
browse() {
	local file=$1 profile
	shift
	profile=$(mktemp -d)
	timeout 120 chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run \
		--disable-background-networking --disable-component-update --user-data-dir="$profile" \
		--host-resolver-rules="MAP * ~NOTFOUND" "$@" "file://$file" 2>"$folder/said"
	rm -rf "$profile"
}

# expect NAME PATTERN TEXT, refuse NAME PATTERN TEXT: a line that is of the text, or is not.
expect() {
	if grep -qE -e "$2" <<<"$3"; then echo "ok $1"; else echo "not ok $1: there is no $2"; fi
}
refuse() {
	if grep -qE -e "$2" <<<"$3"; then echo "not ok $1: there is $2"; else echo "ok $1"; fi
}

# The page's own policy would not let this script run, so it has none.
inspect() {
	local page=$folder/$1-inspected.html
	{
		grep -v 'http-equiv="Content-Security-Policy"' "$folder/$1.html"
		printf '<script data-page="%s">\n' "$1"
		cat inspect.js
		printf '</script>\n'
	} >"$page"
	browse "$page" --dump-dom | grep -E '^(not )?ok ' || echo "not ok $1: nothing was inspected"
}

for page in small same large; do
	inspect $page | sed "s/ok /ok $page: /" | sed 's/&lt;/</g'
done

# As it is, the policy lets the page's own script run. What Chromium asks for by itself has no origin.
page=$(browse "$folder/small.html" --dump-dom --log-net-log="$folder/requests.json")
expect "the script runs under the page's policy" '<body class="live">' "$page"
refuse "the page asks nothing of a network" '"initiator":"(null|file:)' "$(<"$folder/requests.json")"

# What could harm, behind the page's own.
harm='<script>document.title = "harm"</script><img src="http://harm.test/"><p style="color: red">'
sed "s|^</body>|$harm&|" "$folder/small.html" >"$folder/harm.html"
page=$(browse "$folder/harm.html" --dump-dom --enable-logging=stderr --v=0 --log-net-log="$folder/requests.json")
refuse "the policy lets no other script run" '<title>harm' "$page"
for kind in script-src style-src default-src; do
	expect "the policy refuses by $kind" "Content Security Policy directive.*$kind" "$(<"$folder/said")"
done
refuse "the policy lets nothing be asked of a network" '"initiator":"(null|file:)' "$(<"$folder/requests.json")"
sed -i '/http-equiv="Content-Security-Policy"/d' "$folder/harm.html"
page=$(browse "$folder/harm.html" --dump-dom --log-net-log="$folder/requests.json")
expect "which without it is seen here" '"initiator":"(null|file:)' "$(<"$folder/requests.json")"
expect "and without it another script runs" '<title>harm' "$page"

# print PAGE [OPTION]...: what a printed page says, each sheet ended by a form feed.
print() {
	local page=$1
	browse "$folder/$page.html" --no-pdf-header-footer --print-to-pdf="$folder/$page.pdf" "${@:2}"
	pdftotext -layout "$folder/$page.pdf" -
}

for script in true false; do
	page=$(print small --blink-settings=scriptEnabled=$script)
	expect "it prints what changed, scripts are $script" '^crc32_fast was crc32_slow by code .*-66.7 %' "$page"
	expect "and all of that" '^<!--<script>.*\+100 %' "$page"
	expect "and the rules" '^BROKEN' "$page"
	refuse "and nothing that is within noise" '^(idle|memcpy)' "$page"
	refuse "and no controls" 'Search|Show more' "$page"
done

page=$(print large)
sheets=$(tr -cd '\f' <<<"$page" | wc -c)
expect "each of many sheets begins with the titles" "^$sheets\$" "$(grep -cE '^\f?function ' <<<"$page")"
expect "and all that changed is on them" '^1500$' "$(grep -cE '^\f?module_' <<<"$page")"
