#!/bin/bash
# SPDX-License-Identifier: MIT
# page.sh UMOCKDEV FIRMWARE.elf: the commands of docs/PROBES.md work, with models of a probe and a target and a firmware in
# QEMU; its messages, options, USB ids and figures are correct.
source tests/porting/support.sh

page=docs/PROBES.md rules=udev/70-bareprof-probes.rules root=$PWD
umockdev=$1 firmware=$2

# column HEADING NUMBER: code in a column of the first table after the heading.
column() {
	awk -F ' *[|] *' -v heading="$1" -v number="$2" '
		$0 == heading { on = 1 }
		on && /^[|]/ { print $(number + 1); rows++; next }
		rows { exit }' $page | grep -o '`[^`]*`' | tr -d '`'
}

# same NAME WHAT A B: two files have the same lines, in any order, and at least one.
same() {
	local differing
	differing=$(comm -3 <(sort "$3") <(sort "$4") | head -n 1)
	if [[ -s $3 && -z $differing ]]; then
		ok "$1 ($(wc -l <"$3"))"
	else
		not_ok "$1: $2 only here or there: ${differing//[[:space:]]/}"
	fi
}

# runs LISTING [SED]: runs a listing of the page next to the firmware, in less time. Links provide the page's file names.
runs() {
	shown $page "$1" | sed "s/--wait 5/--wait 1/; s/--seconds 30/--seconds 1/; ${2-}" >"$work/listing.sh"
	ln -sf "$root/$firmware" "$work/fw.elf"
	(cd "$work" && PATH=$root/build:$PATH bash -e listing.sh) >"$work/listing.log" 2>&1 && return
	tail -n 1 "$work/listing.log"
	return 1
}

# prints TEXT: the last listing printed it.
prints() {
	grep -qF -e "$1" "$work/listing.log" || { echo "nothing prints $1" && return 1; }
}

# The listing printed all lines of `bareprof devices` on the page.
lists_devices() {
	local line
	while read -r line; do
		prints "$line" || return
	done < <(sed -n '/^    cmsis-dap:P77/p; s/^    \(To take a capture: .*\)/\1/p' $page)
}

pulls() { runs pull.sh && lists_devices && prints ' run_round'; }
pulls_again() { runs again.sh && prints 'pulled 14,848 bytes'; }
pulls_one_of_several() { runs several.sh && prints 'from cmsis-dap:cafe:4011:P77: '; }
pulls_from_servers() {
	runs servers.sh "s|gdb:[^ ]*|gdb:127.0.0.1:$GDB_PORT|; s|qemu:[^ ]*|qemu:${MODEL_QMP#"$work/"}|" && prints 'from gdb:' &&
		prints 'from qemu:'
}
samples() { runs sample.sh && prints '<asleep or unavailable>' && prints ' crc32'; }
measures() {
	tests/probe-model/clocks.sh "$umockdev" "$work/clocks" build/bareprof >"$work/measured" &&
		MODEL_SCHEME=jlink tests/probe-model/clocks.sh "$umockdev-jlink" "$work/clocks" build/bareprof >"$work/measured-jlink"
}

# with_probe NAME FUNCTION [OPTION]...: the function succeeds with a probe plugged in.
with_probe() {
	local name=$1 output
	if output=$("$umockdev" "${@:3}" $MODEL_TARGET -- bash -c "$2" 2>&1); then
		ok "$name"
	else
		not_ok "$name: $output"
	fi
}

try_all() {
	local output
	measures || not_ok "pulls are measured"
	with_probe "$page: the first profile" pulls
	with_probe "$page: the counts so far" pulls_again
	with_probe "$page: one of several probes" pulls_one_of_several --twin P78
	with_probe "$page: a firmware without bareprof is sampled" samples asleep=20 \
		"pcs=0x$(address_of "$firmware" crc32),64"
	if output=$(pulls_from_servers); then
		ok "$page: servers"
	else
		not_ok "$page: servers: $output"
	fi
}

export -f shown runs prints lists_devices pulls pulls_again pulls_one_of_several pulls_from_servers samples measures with_probe \
	try_all ok not_ok address_of
export page root umockdev firmware work
tests/probe-model/firmware.sh "$work/qemu" "$firmware" bash -c try_all || not_ok "$page: commands with a firmware in QEMU"

name="$page: the models, without hardware"
if shown $page try.sh >"$work/try.sh" && bash -e "$work/try.sh" >"$work/try.log" 2>&1 && grep -q ' run_round' "$work/try.log"; then
	ok "$name"
else
	not_ok "$name: $(tail -n 1 "$work/try.log")"
fi

name="$page: its figures are those measured"
sed -n 's/^| version \([12]\) | \(.*\) |$/\1 | \2/p' $page | tr -d '|' >"$work/stated"
if ! output=$(awk '
	NR == FNR { stated[$1, $2, $3] = $0; next }
	{
		split(stated[$1, $2, $3], field)
		if ($4 < 0.99 * field[4] || $4 > 1.01 * field[4] || $5 < 0.99 * field[5] || $5 > 1.01 * field[5] || $6 != field[6] ||
			sprintf("%.0f", 4000 / $4) != field[7])
			wrong = wrong "\n" $0
		rows++
	}
	END { print rows wrong; exit wrong || rows != length(stated) }' "$work/stated" "$work/measured"); then
	not_ok "$name: measured: $output"
else
	ok "$name ($output)"
fi

name="$page: its figures of a J-Link are those measured"
sed -n 's/^| \(swd\|jtag\) | \(.*\) |$/\1 | \2/p' $page | tr -d '|' >"$work/stated"
if ! output=$(awk '
	NR == FNR { clocks[$1] = $2; trips[$1] = $3; rate[$1] = $4; next }
	{
		if ($2 < 0.99 * clocks[$1] || $2 > 1.01 * clocks[$1] || $3 < 0.99 * trips[$1] || $3 > 1.01 * trips[$1] ||
			sprintf("%.0f", 4000 / $2) != rate[$1])
			wrong = wrong "\n" $0
		rows++
	}
	END { print rows wrong; exit wrong || rows != length(clocks) }' "$work/stated" "$work/measured-jlink"); then
	not_ok "$name: measured: $output"
else
	ok "$name ($output)"
fi

column '## Which probe' 2 >"$work/ids"
sed -n 's/^ATTR{idVendor}=="\(....\)", ATTR{idProduct}=="\(....\)".*/\1:\2/p' $rules >"$work/ruled"
same "$page: its table lists the probes of $rules" "a probe is" "$work/ids" "$work/ruled"

column '## Options' 1 >"$work/options"
sed -n 's/.*TARGET_CAN_[A-Z_]*, "\(--[a-z-]*\)"},$/\1/p' host/command/target_options.c | grep -vx -e --console >"$work/known"
same "$page: its options are those of probes" "an option is" "$work/options" "$work/known"

name="$page explains existing messages"
column '## When it does not work' 1 >"$work/messages"
while read -r message; do
	grep -qF -e "$message" build/bareprof || echo "$message"
done <"$work/messages" >"$work/unknown"
if [[ -s $work/unknown || $(wc -l <"$work/messages") -lt 20 ]]; then
	not_ok "$name: no message contains $(head -n 1 "$work/unknown")"
else
	ok "$name ($(wc -l <"$work/messages"))"
fi

name="$page: OpenOCD has its configurations"
grep -o -e '-f [a-z]*/[a-z0-9-]*\.cfg' $page | sort -u | while read -r _ file; do
	openocd -c "find $file; shutdown" >>"$work/openocd.log" 2>&1 || echo "$file"
done >"$work/lacking"
if [[ -s $work/lacking ]]; then
	not_ok "$name: missing $(head -n 1 "$work/lacking")"
else
	ok "$name"
fi
exit $((failures != 0))
