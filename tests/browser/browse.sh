# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# What the tests of pages share. $folder: the folder of the pages.

# browse FILE [OPTION]...: runs Chromium with a new profile and without name resolution; prints its standard output.
browse() {
	local file=$1 profile
	shift
	profile=$(mktemp -d)
	timeout 300 chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run \
		--disable-background-networking --disable-component-update --user-data-dir="$profile" \
		--host-resolver-rules="MAP * ~NOTFOUND" "$@" "file://$file" 2>"$folder/messages"
	rm -rf "$profile"
}

# expect NAME PATTERN TEXT, refuse NAME PATTERN TEXT: some line of the text matches, or none does.
expect() {
	if grep -qE -e "$2" <<<"$3"; then echo "ok $1"; else echo "not ok $1: there is no $2"; fi
}
refuse() {
	if grep -qE -e "$2" <<<"$3"; then echo "not ok $1: there is $2"; else echo "ok $1"; fi
}

# print PAGE [OPTION]...: the text of a printed page; each sheet ends with a form feed.
print() {
	local page=$1
	browse "$folder/$page.html" --no-pdf-header-footer --print-to-pdf="$folder/$page.pdf" "${@:2}"
	pdftotext -layout "$folder/$page.pdf" -
}
