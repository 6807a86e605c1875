#!/bin/bash
# SPDX-License-Identifier: MIT
# docs/report.svg, the picture in README.md, is what `make picture` draws: the report of the demo, byte for byte.
source tests/target/support.sh

read -r board firmware < <(firmware_of_test)
name="docs/report.svg is the report of the demo"
if ! profile "$board" "$firmware" "$work/demo"; then
	not_ok "$name: no profile"
elif ! perl docs/picture.pl build/bareprof "build/firmware/$board/$firmware.elf" "$work/demo.bprof" >"$work/report.svg"; then
	not_ok "$name: no picture"
elif ! difference=$(diff "$work/report.svg" docs/report.svg); then
	not_ok "$name: make picture draws it; the first line that differs: $(sed -n 2p <<<"$difference")"
elif ! grep -q '](docs/report.svg)' README.md; then
	not_ok "$name: README.md does not show it"
else
	ok "$name"
fi
exit $((failures != 0))
