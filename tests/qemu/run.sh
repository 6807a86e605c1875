#!/bin/bash
# SPDX-License-Identifier: MIT
# Runs a firmware in QEMU as the machine of a board, for tests, for `make run` and for `make demo`.
#
#	tests/qemu/run.sh [OPTION]... BOARD FIRMWARE.elf [COMMAND [ARGUMENT]...]
#
# With a COMMAND: starts QEMU, waits for the console line given by --until, then runs COMMAND while the machine runs.
# COMMAND finds the port of QEMU's gdb stub (on 127.0.0.1) in GDB_PORT, which also replaces {port} in its arguments, and
# with --serial the other end of the console in SERIAL, which also replaces {serial}. QEMU is ended in any case. The exit
# status is COMMAND's, or 125 if the line did not come.
# Without a COMMAND: waits until the line has come or, if there is no --until, until the firmware ends QEMU by
# semihosting; the script then has the exit status of QEMU.
#
#	--until TEXT     wait for a line of the console that is TEXT
#	--timeout N      seconds to wait for it, and for a firmware to end (default 300)
#	--console FILE   file for the console output of the firmware (default: none)
#	--serial KIND    offers the other end of the console to COMMAND, in SERIAL: "pty" is the path of a terminal, "tcp" a
#	                 HOST:PORT. Until COMMAND opens it, console output goes to the file of --console only
#	--shift N        one instruction takes 2^N ns of virtual time (default: the board's BOARD_QEMU_SHIFT, or 5)
#	--cores N        N cores in parallel and in real time (default: the cores of the machine, in turn)
#	--ram FILE       the machine's RAM is this new file, which others may read and write; it runs in real time. Of
#	                 mps2-an385 that is the PSRAM at 0x21000000 alone
#	--memory FILE@ADDRESS  memory contains the bytes of FILE at the start, from ADDRESS on
#	--qmp SOCKET     QEMU listens to its monitor protocol there; may be given several times, for one peer each
#	--halt           the machine waits at its first instruction until a debugger starts it; it runs in real time, since
#	                 the clock of -icount jumps to the next timer at each halt
#	--plugin SPEC    a QEMU plugin and its arguments: FILE.so,name=value,...
#
# One instruction per tick of -icount makes runs repeat exactly, and lets interrupts fall on any instruction: without it
# QEMU takes them only between translated blocks, and samples pile up there. With several cores -icount lets one run up to
# the next deadline of any timer and starves the others (QEMU 7.2, rr_cpu_thread_fn()): each is a thread of its own then,
# translated instruction by instruction, and runs do not repeat. With -icount the core also wakes QEMU's main thread at each
# deadline (icount_notify_aio_contexts()), mostly for nothing; in a batch the woken thread does not interrupt the core.
set -u

fail() {
	echo "run.sh: $*" >&2
	exit 125
}

until_line='' timeout=300 console='' serial='' icount_shift='' cores=() plugin=() ram=() qmp=() halted=()
while [[ ${1-} == --* ]]; do
	[[ $# -ge 2 ]] || fail "$1 needs a value"
	case $1 in
	--until) until_line=$2 ;;
	--timeout) timeout=$2 ;;
	--console) console=$2 ;;
	--serial) serial=$2 ;;
	--shift) icount_shift=$2 ;;
	--cores) cores=(-smp "$2" -accel tcg,thread=multi -singlestep) ;;
	--halt)
		halted=(-S) cores=(-singlestep)
		shift
		continue
		;;
	--plugin) plugin=(-plugin "$2") ;;
	--ram)
		cores=(-singlestep)
		ram=(-object "memory-backend-file,id=ram,share=on,size=16M,mem-path=$2" -machine memory-backend=ram)
		rm -f "$2"
		;;
	--memory) ram+=(-device "loader,file=${2%@*},addr=${2##*@},force-raw=on") ;;
	--qmp) qmp+=(-qmp "unix:$2,server=on,wait=off") ;;
	*) fail "unknown option $1" ;;
	esac
	shift 2
done
[[ $# -ge 2 ]] || fail "usage: run.sh [OPTION]... BOARD FIRMWARE.elf [COMMAND...]"
board=$1 firmware=$2
shift 2

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# The value of a name that a line of the board's board.mk sets.
setting() {
	sed -n "s/^$1 *:= *//p" "$root/boards/$board/board.mk" 2>/dev/null
}
machine=$(setting BOARD_QEMU) || fail "there is no board $board"
[[ -n $machine ]] || fail "board $board has no emulator"
[[ -r $firmware ]] || fail "$firmware cannot be read"
[[ -n $icount_shift ]] || icount_shift=$(setting BOARD_QEMU_SHIFT)
read -ra command <<<"$machine"
if [[ ${#cores[@]} == 0 ]]; then
	command=(chrt --batch 0 "${command[@]}")
	cores=(-icount "shift=${icount_shift:-5},align=off,sleep=off")
fi
command+=("${cores[@]}" "${ram[@]}" "${qmp[@]}" "${halted[@]}" -display none -monitor none -kernel "$firmware"
	-semihosting-config "enable=on,target=native" "${plugin[@]}")

folder=$(mktemp -d) || exit 125
trap 'exec 2>/dev/null; kill -KILL "${qemu-}"; wait; rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM HUP
[[ -n $console ]] || console=$folder/console
: >"$console" || fail "$console cannot be written"

# The kernel chooses the ports. Those of gdb and console are distinguished by their addresses.
gdb_address=127.0.0.1 serial_address=127.0.0.2
[[ $# -gt 0 ]] && command+=(-gdb "tcp:$gdb_address:0")
case $serial in
'') command+=(-chardev "file,id=console,path=$console") ;;
pty) command+=(-chardev "pty,id=console,logfile=$console") ;;
tcp) command+=(-chardev "socket,id=console,host=$serial_address,port=0,server=on,wait=off,nodelay=on,logfile=$console") ;;
*) fail "--serial takes pty or tcp, not $serial" ;;
esac
"${command[@]}" -serial chardev:console </dev/null >"$folder/output" 2>"$folder/errors" &
qemu=$!

# Ends the script when QEMU has exited, with its status unless a line of the console was awaited.
finished() {
	wait "$qemu"
	local status=$?
	[[ -z $until_line && $status -lt 125 ]] && exit "$status"
	cat "$folder/errors" >&2
	fail "QEMU ended with status $status"
}

# Waiting starts no process, which would slow QEMU down: nothing comes from this pipe, and lines are read as they come.
exec {silence}<> <(:) {lines}<"$console"
pause() {
	read -rt 0.02 -u "$silence"
}

# Whether the line has come. The console may end within a line; it may have frames of the link, whose ends, zeros, end lines.
part=
line_came() {
	local LC_ALL=C text status
	while :; do
		IFS= read -rd '' -u "$lines" text
		status=$?
		[[ $status = 0 ]] && text+=$'\n'
		[[ -n $text ]] || return 1
		part+=${text//$'\r'/}
		[[ $'\n'$part == *$'\n'"$until_line"$'\n'* ]] && return
		part=${part##*$'\n'}
		[[ $status = 0 ]] || return 1
	done
}

deadline=$((SECONDS + timeout))
while [[ -z $until_line ]] || ! line_came; do
	[[ -z $until_line && $# -gt 0 ]] && break
	kill -0 "$qemu" 2>/dev/null || finished
	((SECONDS < deadline)) || fail "no line \"$until_line\" on the console within $timeout s"
	pause
done
[[ $# -gt 0 ]] || exit 0

# Prints the port of the listening TCP socket that QEMU holds at an address.
port_at() {
	local hexadecimal
	hexadecimal=$(printf '%02X' $(tr . '\n' <<<"$1" | tac))
	readlink "/proc/$qemu"/fd/* 2>/dev/null | sed -n 's/^socket:\[\(.*\)\]$/\1/p' >"$folder/sockets"
	awk -v address="$hexadecimal" 'NR == FNR { held[$1]; next }
		$4 == "0A" && $10 in held && split($2, local, ":") && local[1] == address { print local[2]; exit }' \
		"$folder/sockets" /proc/net/tcp
}

# Prints the other end of the console, or nothing if there is none yet.
serial_end() {
	case $serial in
	'') echo none ;;
	pty) sed -n 's/^char device redirected to \([^ ]*\) .*/\1/p' "$folder/output" "$folder/errors" ;;
	tcp) port_at "$serial_address" | while read -r port; do echo "$serial_address:$((16#$port))"; done ;;
	esac
}

until port=$(port_at "$gdb_address") && SERIAL=$(serial_end) && [[ -n $port && -n $SERIAL ]]; do
	kill -0 "$qemu" 2>/dev/null || finished
	((SECONDS < deadline)) || fail "QEMU does not listen for gdb or offers no serial line"
	pause
done
export GDB_PORT=$((16#$port)) SERIAL
set -- "${@//\{port\}/$GDB_PORT}"
"${@//\{serial\}/$SERIAL}"
