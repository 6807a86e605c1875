# SPDX-License-Identifier: MIT
# Functions of target tests; to be sourced, from the root of the repository. Sets test, the name of the test, and work, its
# folder under build/, which tests of the same name in other folders do not share. A test that runs several times at once
# names its part of the folder in work_of.
set -u
script=$(realpath "$0")
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
test=$(basename "$script" .sh)
script=${script#"$(pwd -P)"/tests/}
work=build/target-tests/${script%.sh}${work_of:+/$work_of}
rm -rf "$work"
mkdir -p "$work"
failures=0

ok() {
	echo "ok $*"
}

not_ok() {
	echo "not ok $*"
	failures=$((failures + 1))
}

# check_by NAME COMMAND [ARGUMENT]...: a check that passes if the command does; prints what the command printed, too.
check_by() {
	local name=$1 result
	shift
	if result=$("$@" 2>&1); then
		ok "$name ($result)"
	else
		not_ok "$name: $result"
	fi
}

# Prints "BOARD FIRMWARE" for each firmware of this test.
firmware_of_test() {
	awk -v test="$test" '$1 == test { print $2, $3 }' tests/emulated/firmware.txt
}

# profile BOARD FIRMWARE OUTPUT [RUN_OPTION]...: runs the demo, or firmware that ends like it, and writes the capture, whose
# samples must add up to its ticks, to OUTPUT.bprof, the console to OUTPUT.console and the profile to OUTPUT.json.
profile() {
	local board=$1 firmware=$2
	shift 2
	profile_elf "$board" "build/firmware/$board/$firmware.elf" "$@"
}

# profile_elf BOARD ELF OUTPUT [RUN_OPTION]...: likewise for any ELF.
profile_elf() {
	local board=$1 elf=$2 output=$3
	shift 3
	tests/qemu/run.sh --until 'demo: done' --console "$output.console" "$@" "$board" "$elf" \
		build/bareprof pull 'gdb:127.0.0.1:{port}' -e "$elf" -o "$output.bprof" 2>"$output.errors" &&
		build/bareprof info "$output.bprof" 2>>"$output.errors" | grep '^  ticks .*; ' >>"$output.errors" &&
		grep -q '; adds up$' "$output.errors" &&
		build/bareprof export json "$elf" "$output.bprof" >"$output.json" 2>>"$output.errors" && return
	cat "$output.errors" >&2
	return 1
}

# The block of a capture without its random number, which a handler that draws distances itself goes on drawing while the
# demo idles and is read (docs/FORMAT.md, section 2).
counts_of() {
	local size
	size=$(build/bareprof info "$1" | awk '$1 == "block" { gsub(",", "", $2); print $2 }')
	head -c "$size" "$1" | perl -0777 -pe 'substr($_, 0x8C, 4) = q()'
}

# The address of a function in an ELF, in hexadecimal. readelf reads the ELFs of every target.
address_of() {
	readelf -sW "$1" | awk -v name="$2" '$8 == name { print $2; exit }'
}

# counted_profile BOARD FIRMWARE OUTPUT [RUN_OPTION]...: as profile; also writes the instructions executed at each
# address between start and stop to OUTPUT.counts, the symbols to OUTPUT.symbols and the code to OUTPUT.code.
counted_profile() {
	local board=$1 firmware=$2
	shift 2
	counted_profile_elf "$board" "build/firmware/$board/$firmware.elf" "$@"
}

# counted_profile_elf BOARD ELF OUTPUT [RUN_OPTION]...: likewise for any ELF.
counted_profile_elf() {
	local board=$1 elf=$2 output=$3 start stop plugin
	shift 3
	# The lowest bit of a Thumb function's address is not part of its location.
	start=$((16#$(address_of "$elf" bareprof_start) & ~1))
	stop=$((16#$(address_of "$elf" bareprof_stop) & ~1))
	plugin=$(printf 'build/qemu/count.so,output=%s,start=%x,stop=%x' "$output.counts" "$start" "$stop")
	profile_elf "$board" "$elf" "$output" --plugin "$plugin" "$@" && readelf -sW "$elf" >"$output.symbols" &&
		"$(cross_of "$elf")objdump" -d --no-show-raw-insn "$elf" >"$output.code"
}

# Runs each firmware of this test, which counts its calls, and compares the profile with these counts.
run_counting_calls() {
	local board firmware name output difference
	while read -r board firmware; do
		name="calls in the profile equal the firmware's counts: $board, $firmware"
		output=$work/$board-$firmware
		if ! profile "$board" "$firmware" "$output"; then
			not_ok "$name: no profile"
		elif ! difference=$(perl tests/emulated/calls.pl "$output.console" "$output.json"); then
			not_ok "$name: $difference"
		else
			ok "$name ($difference)"
		fi
	done < <(firmware_of_test)
}

# The prefix of the tools for an ELF.
cross_of() {
	case $(readelf -hW "$1") in
	*Machine:*RISC-V*) echo riscv64-unknown-elf- ;;
	*) echo arm-none-eabi- ;;
	esac
}

# run_self_checking_firmware BOARD FIRMWARE [RUN_OPTION]...: runs a firmware that checks itself, says `ok NAME` or
# `not ok NAME` on the console and ends QEMU. The console is left in $work/BOARD-FIRMWARE.console.
run_self_checking_firmware() {
	local board=$1 firmware=$2 console=$work/$1-$2.console status name
	shift 2
	tests/qemu/run.sh --timeout 300 --console "$console" "$@" "$board" "build/firmware/$board/$firmware.elf"
	status=$?
	sed -n "s/^\(ok\|#\) .*/&: $board, $firmware/p" "$console"
	while read -r _ _ name; do
		not_ok "$name ($board, $firmware)"
	done < <(grep '^not ok ' "$console")
	if [[ $status -ne 0 ]] || ! grep -q '^ok ' "$console"; then
		not_ok "the firmware comes to its end: $board, $firmware: exit status $status"
	fi
}

# Runs each firmware of this test, which must check itself.
run_self_checking() {
	local board firmware
	while read -r board firmware; do
		run_self_checking_firmware "$board" "$firmware"
	done < <(firmware_of_test)
}
