#!/bin/bash
# SPDX-License-Identifier: MIT
# page.sh FOLDER: opens the pages small.html, same.html, large.html and measured.html of FOLDER in Chromium: reading, printing, and hostile
# names. The golden test diff-html checks their bytes.
set -u
folder=$(realpath "$1")
cd "$(dirname "$0")" || exit 1
. ./browse.sh

# The policy of the page would block this script, so it is removed.
inspect() {
	local page=$folder/$1-inspected.html
	{
		grep -v 'http-equiv="Content-Security-Policy"' "$folder/$1.html"
		printf '<script data-page="%s">\n' "$1"
		cat common.js inspect.js
		printf '</script>\n'
	} >"$page"
	browse "$page" --dump-dom | grep -E '^(not )?ok ' || echo "not ok $1: nothing was inspected"
}

for page in small same large measured; do
	inspect $page | sed "s/ok /ok $page: /" | sed 's/&lt;/</g'
done

# With its policy, the page's own script runs. Requests by Chromium itself have no origin.
page=$(browse "$folder/small.html" --dump-dom --log-net-log="$folder/requests.json")
expect "the script runs under the page's policy" '<body class="live comparison">' "$page"
refuse "the page makes no network request" '"initiator":"(null|file:)' "$(<"$folder/requests.json")"

# A script, an image and a style are added that the policy must block.
hostile='<script>document.title = "hostile"</script><img src="http://hostile.test/"><p style="color: red">'
sed "s|^</body>|$hostile&|" "$folder/small.html" >"$folder/hostile.html"
page=$(browse "$folder/hostile.html" --dump-dom --enable-logging=stderr --v=0 --log-net-log="$folder/requests.json")
refuse "the policy blocks other scripts" '<title>hostile' "$page"
for kind in script-src style-src default-src; do
	expect "the policy refuses by $kind" "Content Security Policy directive.*$kind" "$(<"$folder/messages")"
done
refuse "the policy blocks network requests" '"initiator":"(null|file:)' "$(<"$folder/requests.json")"
sed -i '/http-equiv="Content-Security-Policy"/d' "$folder/hostile.html"
page=$(browse "$folder/hostile.html" --dump-dom --log-net-log="$folder/requests.json")
expect "without the policy, the request is made" '"initiator":"(null|file:)' "$(<"$folder/requests.json")"
expect "without the policy, the script runs" '<title>hostile' "$page"

for script in true false; do
	page=$(print small --blink-settings=scriptEnabled=$script)
	expect "changes are printed, scripts are $script" '^crc32_fast was crc32_slow by code .*-66.7 %' "$page"
	expect "names are printed in full" '^<!--<script>.*\+100 %' "$page"
	expect "rules are printed" '^BROKEN' "$page"
	refuse "changes within noise are not printed" '^(idle|memcpy)' "$page"
	refuse "controls are not printed" 'Search|Show more' "$page"
done

page=$(print large)
sheets=$(tr -cd '\f' <<<"$page" | wc -c)
expect "each printed sheet repeats the titles" "^$sheets\$" "$(grep -cE '^\f?function ' <<<"$page")"
expect "all changes are on the sheets" '^1500$' "$(grep -cE '^\f?module_' <<<"$page")"
