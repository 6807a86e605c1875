#!/bin/bash
# SPDX-License-Identifier: MIT
# The link as docs/CHANNELS.md adds it to the projects of docs/PORTING.md, from the page's own listings and commands: polled,
# by interrupt, and with a transmitter only.
source tests/porting/support.sh

page=docs/CHANNELS.md
# Rounds of the loop in a call of work(), instead of the page's 4,000 for firmware that works once.
rounds=40

# adds MACHINE FOLDER LISTINGS MAIN: a project with the link among LISTINGS and the main function of the page.
adds() {
	project "$1" "$2"
	shown $page "$3/link.c" >>"$2/sampling.c"
	shown $page "$4" >"$2/main.c"
}

# adds_loop MACHINE FOLDER
adds_loop() {
	adds "$1" "$2" "$1" main.c
	sed -i "s/round < 4000/round < $rounds/" "$2/work.c"
}

# builds FOLDER NAME
builds() {
	make -C "$1" BAREPROF="$PWD" >"$1/make.log" 2>&1 && return
	not_ok "$2: $(grep -m 1 -i error "$1/make.log")"
	return 1
}

# types FOLDER LISTING [SOURCE]: runs the commands of the page's listing in the folder, with SOURCE and shorter waits.
types() {
	shown $page "$2" | sed "${3:+s|pull [a-z]*:[^ ]*|pull $3|; }s/--wait 5/--wait 1/" >"$1/type.sh"
	(cd "$1" && PATH=$root/build:$PATH bash -e type.sh) >"$1/typed.log" 2>&1 && return
	tail -n 1 "$1/typed.log"
	return 1
}

# counts FOLDER: the counts of the capture.
counts() {
	(cd "$1" && "$root/build/bareprof" export json fw.elf run.bprof)
}

# pulls FOLDER SOURCE: pulls twice; the profile is stopped in between, and both pulls must be equal. Prints the
# difference.
pulls() {
	local piece
	for piece in 1 2; do
		types "$1" pull.sh "$2" && counts "$1" >"$1/run.json" &&
			perl tests/porting/expect.pl main "$1/run.json" $rounds || return
	done
	types "$1" again.sh "$2" || return
	counts "$1" | cmp -s "$1/run.json" && return
	echo "a stopped profile changed"
	return 1
}
export -f shown types counts pulls
export page rounds root=$PWD

for machine in mps2 virt; do
	folder=$work/$machine
	adds_loop "$machine" "$folder"
	builds "$folder" "the link of $page: $machine" || continue
	for kind in tcp pty; do
		name="the link of $page, pulled repeatedly: $machine, $kind"
		[[ $kind == pty ]] && scheme=uart || scheme=tcp
		if said=$(tests/qemu/run.sh --serial $kind "${board_of[$machine]}" "$folder/fw.elf" \
			bash -c 'pulls "$0" "$1"' "$folder" "$scheme:{serial},timeout=30"); then
			ok "$name (${said//$'\n'/; })"
		else
			not_ok "$name: $said"
		fi
	done
done

# The port is chosen by the kernel, and the project with the link has its own folder.
folder=$work/try name="the firmware that $page offers to try is pulled" tries=0
rm -rf "$folder" && mkdir -p "$folder"
port=$(perl -MIO::Socket::INET -e 'print IO::Socket::INET->new(Listen => 1, LocalAddr => "127.0.0.1")->sockport')
{
	shown $page try/start.sh | sed "s/^qemu/timeout 300 &/; s/:4000/:$port/; s|-s build|-s $root/build|; s|fw.elf|$folder/&|"
	echo "echo \$! >$folder/qemu"
} >"$folder/start.sh"
if ! bash -e "$folder/start.sh" >"$folder/start.log" 2>&1; then
	not_ok "$name: it does not start: $(tail -n 1 "$folder/start.log")"
else
	until said=$(types "$folder" try/pull.sh "tcp:localhost:$port") || ((tries++ == 100)); do
		sleep 0.5
	done
	kill "$(<"$folder/qemu")"
	if counts "$folder" | grep '"run_round"' >"$folder/found"; then
		ok "$name"
	else
		not_ok "$name: $said"
	fi
fi

folder=$work/send name="a transmitter only, as in $page"
adds virt "$folder" send send/main.c
if builds "$folder" "$name"; then
	tests/qemu/run.sh --until done --console "$folder/log.bin" "${board_of[virt]}" "$folder/fw.elf"
	if said=$(types "$folder" send/pull.sh && counts "$folder" >"$folder/run.json" &&
		perl tests/porting/expect.pl main "$folder/run.json"); then
		ok "$name ($said)"
	else
		not_ok "$name: $said"
	fi
fi

folder=$work/pieces name="pieces that $page shows are built"
adds_loop mps2 "$folder"
sed -i '/^BAREPROF_LINK/d' "$folder/sampling.c"
{
	echo 'static void console_take(uint8_t byte) { (void)byte; }'
	shown $page text.c
} >>"$folder/sampling.c"
{
	echo '#include <bareprof/link.h>'
	echo 'static void vTaskDelay(unsigned ticks) { (void)ticks; }'
	echo 'int main(void) {'
	shown $page task.c
	echo '}'
} >"$folder/main.c"
builds "$folder" "$name" && ok "$name"

name="every listing of $page that uses the link is built"
untried=$(awk '/^<!-- file: / { is_file = 1; next } /^[^ ]/ { is_file = 0 }
	/^    / && /bareprof_[a-z]*\(|BAREPROF_/ && !is_file' $page)
if [[ -z $untried ]]; then
	ok "$name"
else
	not_ok "$name: not so $(head -n 1 <<<"$untried")"
fi

# Without such a device the tool says so: the typed command itself is correct.
name="every pull of $page can be typed"
touch "$work/log.bin"
while read -ra words; do
	(cd "$work" && "$root/build/bareprof" "${words[@]:1:1}" tcp:127.0.0.1:1 "${words[@]:3}" 2>&1)
	[[ $? == 2 ]] && echo "${words[*]}"
done < <(sed -n 's/^    \(bareprof pull .*\)/\1/p' $page | sed 's/fw.elf/mps2\/fw.elf/') >"$work/pulls"
if grep -q '^bareprof pull' "$work/pulls"; then
	not_ok "$name: not $(grep -m 1 '^bareprof pull' "$work/pulls")"
else
	ok "$name ($(grep -c 'cannot connect' "$work/pulls"))"
fi

# Messages that the page quotes, of the linker and of the tool.
folder=$work/no-link name="a firmware without a link is reported"
adds_loop mps2 "$folder"
sed -i '/^BAREPROF_LINK/d' "$folder/sampling.c"
if make -C "$folder" BAREPROF="$PWD" >"$folder/make.log" 2>&1; then
	not_ok "$name: the build succeeded"
elif tr '`' "'" <"$folder/make.log" | grep -qF "undefined reference to 'bareprof_link'"; then
	ok "$name"
else
	not_ok "$name: $(grep -m 1 -i error "$folder/make.log")"
fi

name="docs/CHANNELS.md explains only messages that exist"
sed -n '/^## When it does not work/,$s/^| `\([^`]*\)`.*/\1/p' docs/CHANNELS.md | grep -v '^undefined reference' >"$work/messages"
while read -r message; do
	grep -qF -e "$message" build/bareprof || echo "$message"
done <"$work/messages" >"$work/unknown"
if [[ -s $work/unknown ]]; then
	not_ok "$name: nothing prints $(head -n 1 "$work/unknown")"
elif [[ $(wc -l <"$work/messages") -lt 9 ]]; then
	not_ok "$name: the page quotes too few messages"
else
	ok "$name ($(wc -l <"$work/messages"))"
fi
exit $((failures != 0))
