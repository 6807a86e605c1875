#!/bin/bash
# SPDX-License-Identifier: MIT
# The link as docs/CHANNELS.md adds it to the projects of docs/PORTING.md: polled, by interrupt, and with a transmitter only.
source tests/porting/support.sh

# adds MACHINE FOLDER: a project with the link and the main loop of the page.
adds() {
	project "$1" "$2"
	shown docs/CHANNELS.md "$1/link.c" >>"$2/sampling.c"
	shown docs/CHANNELS.md main.c >"$2/main.c"
}

# builds FOLDER NAME
builds() {
	make -C "$1" BAREPROF="$PWD" >"$1/make.log" 2>&1 && return
	not_ok "$2: $(grep -m 1 -i error "$1/make.log")"
	return 1
}

for machine in mps2 virt; do
	folder=$work/$machine name="the link of docs/CHANNELS.md: $machine"
	adds "$machine" "$folder"
	builds "$folder" "$name" && runs "$machine" "$folder" "$folder/fw.elf" "$name" main 'tcp:{serial}' --serial tcp
done

machine=virt folder=$work/send name="a transmitter only, as docs/CHANNELS.md tells"
adds "$machine" "$folder"
sed -i 's/, \.read = uart_read//; /^static size_t uart_read/,/^}/d' "$folder/sampling.c"
sed -i 's/bareprof_stop();/&\n    bareprof_send();/' "$folder/main.c"
if builds "$folder" "$name"; then
	tests/qemu/run.sh --timeout 30 --until done --console "$folder/log.bin" "${board_of[$machine]}" "$folder/fw.elf"
	runs "$machine" "$folder" "$folder/fw.elf" "$name" main "file:$folder/log.bin"
fi

# What the page says that is said: by the linker, and by the tool.
folder=$work/no-link name="no link is told"
adds mps2 "$folder"
sed -i '/^BAREPROF_LINK/d' "$folder/sampling.c"
if make -C "$folder" BAREPROF="$PWD" >"$folder/make.log" 2>&1; then
	not_ok "$name: it was built all the same"
elif tr '`' "'" <"$folder/make.log" | grep -qF "undefined reference to 'bareprof_link'"; then
	ok "$name"
else
	not_ok "$name: $(grep -m 1 -i error "$folder/make.log")"
fi

name="docs/CHANNELS.md explains messages that there are"
sed -n '/^## When it does not work/,$s/^| `\([^`]*\)`.*/\1/p' docs/CHANNELS.md | grep -v '^undefined reference' >"$work/messages"
while read -r message; do
	grep -qF -e "$message" build/bareprof || echo "$message"
done <"$work/messages" >"$work/unsaid"
if [[ -s $work/unsaid ]]; then
	not_ok "$name: nothing says $(head -n 1 "$work/unsaid")"
elif [[ $(wc -l <"$work/messages") -lt 9 ]]; then
	not_ok "$name: it explains too few"
else
	ok "$name ($(wc -l <"$work/messages"))"
fi
exit $((failures != 0))
