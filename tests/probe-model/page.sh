#!/bin/bash
# SPDX-License-Identifier: MIT
# page.sh UMOCKDEV FIRMWARE.elf: what docs/PROBES.md tells to type works, by the models of a probe and of a target and a
# firmware in QEMU; what it says of messages, options, USB ids and figures is so.
source tests/porting/support.sh

page=docs/PROBES.md rules=udev/70-bareprof-probes.rules root=$PWD
umockdev=$1 firmware=$2

# column HEADING NUMBER: of the first table behind the heading, what is quoted as code.
column() {
	awk -F ' *[|] *' -v heading="$1" -v number="$2" '
		$0 == heading { on = 1 }
		on && /^[|]/ { print $(number + 1); rows++; next }
		rows { exit }' $page | grep -o '`[^`]*`' | tr -d '`'
}

# same NAME WHAT A B: the lines of two files, in any order, are the same, and there are some.
same() {
	local differing
	differing=$(comm -3 <(sort "$3") <(sort "$4") | head -n 1)
	if [[ -s $3 && -z $differing ]]; then
		ok "$1 ($(wc -l <"$3"))"
	else
		not_ok "$1: $2 only here or there: ${differing//[[:space:]]/}"
	fi
}

# types LISTING [SED]: does beside the firmware what the page says to type, in less time; the names of the page are links.
types() {
	shown $page "$1" | sed "s/--wait 5/--wait 1/; s/--seconds 30/--seconds 1/; ${2-}" >"$work/type.sh"
	ln -sf "$root/$firmware" "$work/fw.elf"
	(cd "$work" && PATH=$root/build:$PATH bash -e type.sh) >"$work/typed.log" 2>&1 && return
	tail -n 1 "$work/typed.log"
	return 1
}

# says TEXT: of what was typed last.
says() {
	grep -qF -e "$1" "$work/typed.log" || { echo "nothing says $1" && return 1; }
}

# All lines that the page shows of `bareprof devices` are said.
lists_devices() {
	local line
	while read -r line; do
		says "$line" || return
	done < <(sed -n '/^    cmsis-dap:P77/p; s/^    \(For a capture: .*\)/\1/p' $page)
}

pulls() { types pull.sh && lists_devices && says ' run_round'; }
pulls_again() { types again.sh && says 'pulled 14,848 bytes'; }
pulls_one_of_several() { types several.sh && says 'from cmsis-dap:cafe:4011:P77: '; }
pulls_from_servers() {
	types servers.sh "s|gdb:[^ ]*|gdb:127.0.0.1:$GDB_PORT|; s|qemu:[^ ]*|qemu:${MODEL_QMP#"$work/"}|" && says 'from gdb:' &&
		says 'from qemu:'
}
samples() { types sample.sh && says '<asleep or unavailable>' && says ' crc32'; }
measures() { tests/probe-model/clocks.sh "$umockdev" "$work/clocks" build/bareprof >"$work/measured"; }

# beside NAME FUNCTION [OPTION]...: with a probe plugged in.
beside() {
	local name=$1 said
	if said=$("$umockdev" "${@:3}" $MODEL_TARGET -- bash -c "$2" 2>&1); then
		ok "$name"
	else
		not_ok "$name: $said"
	fi
}

try_all() {
	local said
	measures || not_ok "a pull is measured"
	beside "$page: the first profile" pulls
	beside "$page: what was counted so far" pulls_again
	beside "$page: one of several probes" pulls_one_of_several --twin P78
	beside "$page: a firmware that knows nothing of bareprof is sampled" samples asleep=20 \
		"pcs=0x$(address_of "$firmware" crc32),64"
	if said=$(pulls_from_servers); then
		ok "$page: servers"
	else
		not_ok "$page: servers: $said"
	fi
}

export -f shown types says lists_devices pulls pulls_again pulls_one_of_several pulls_from_servers samples measures beside \
	try_all ok not_ok address_of
export page root umockdev firmware work
tests/probe-model/firmware.sh "$work/beside" "$firmware" bash -c try_all || not_ok "$page: beside a firmware in QEMU"

name="$page: the models, with no probe on the desk"
if shown $page try.sh >"$work/try.sh" && bash -e "$work/try.sh" >"$work/try.log" 2>&1 && grep -q ' run_round' "$work/try.log"; then
	ok "$name"
else
	not_ok "$name: $(tail -n 1 "$work/try.log")"
fi

name="$page: what it says was measured is measured"
sed -n 's/^| version \([12]\) | \(.*\) |$/\1 | \2/p' $page | tr -d '|' >"$work/told"
if ! said=$(awk '
	NR == FNR { told[$1, $2, $3] = $0; next }
	{
		split(told[$1, $2, $3], field)
		if ($4 < 0.99 * field[4] || $4 > 1.01 * field[4] || $5 < 0.99 * field[5] || $5 > 1.01 * field[5] || $6 != field[6] ||
			sprintf("%.0f", 4000 / $4) != field[7])
			wrong = wrong "\n" $0
		rows++
	}
	END { print rows wrong; exit wrong || rows != length(told) }' "$work/told" "$work/measured"); then
	not_ok "$name: there was measured: $said"
else
	ok "$name ($said)"
fi

column '## Which probe' 2 >"$work/ids"
sed -n 's/^ATTR{idVendor}=="\(....\)", ATTR{idProduct}=="\(....\)".*/\1:\2/p' $rules >"$work/ruled"
same "$page: its table has the probes of $rules" "a probe is" "$work/ids" "$work/ruled"

column '## Options' 1 >"$work/options"
sed -n 's/.*TARGET_CAN_[A-Z_]*, "\(--[a-z-]*\)"},$/\1/p' host/command/target_options.c | grep -vx -e --console >"$work/known"
same "$page: its options are those that a probe may have" "an option is" "$work/options" "$work/known"

name="$page explains messages that there are"
column '## When it does not work' 1 >"$work/messages"
while read -r message; do
	grep -qF -e "$message" build/bareprof || echo "$message"
done <"$work/messages" >"$work/unsaid"
if [[ -s $work/unsaid || $(wc -l <"$work/messages") -lt 20 ]]; then
	not_ok "$name: nothing says $(head -n 1 "$work/unsaid")"
else
	ok "$name ($(wc -l <"$work/messages"))"
fi

name="$page: OpenOCD has the configurations"
grep -o -e '-f [a-z]*/[a-z0-9-]*\.cfg' $page | sort -u | while read -r _ file; do
	openocd -c "find $file; shutdown" >>"$work/openocd.log" 2>&1 || echo "$file"
done >"$work/lacking"
if [[ -s $work/lacking ]]; then
	not_ok "$name: not $(head -n 1 "$work/lacking")"
else
	ok "$name"
fi
exit $((failures != 0))
