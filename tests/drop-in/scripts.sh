#!/bin/bash
# SPDX-License-Identifier: MIT
# Linker scripts in the forms of vendors, without a line for bareprof. The recorder's code must be where the script puts
# code, the block must have no contents and be cleared at start, or not if it is in .noinit, and the image must not grow
# by more than the code. The linker itself refuses sections that overlap.
source tests/drop-in/support.sh

# symbols_of ELF: prints address, section, size, F for a function or O for a variable, and name of each symbol.
symbols_of() {
	"$(cross_of "$1")objdump" -t "$1" | sed -n 's/^\([0-9a-f]*\) .*\([ FO]\) \([^\t ]*\)\t\([0-9a-f]*\) *\(\.hidden\)* *\(.*\)/\1 \3 \4 \2 \6/p'
}

# value NAME COLUMN: of a symbol.
value() { awk -v name="$1" -v column="$2" '$NF == name { print $column; exit }' "$elf.symbols"; }
address() { echo $((16#$(value "$1" 1))); }

# contents ELF: the bytes of its functions and variables, except the block.
contents() {
	local size sum=0
	while read -r size; do
		((sum += 16#$size))
	done < <(awk '$4 ~ /[FO]/ && $5 != "bareprof_block" { print $3 }' "$1.symbols")
	echo $sum
}

# image_size ELF: of objcopy's image, which may have up to 4 MB. That of an ESP32-C3 consists of the sections.
image_size() {
	local cross
	cross=$(cross_of "$1")
	if [[ $script == esp32c3 ]]; then
		"${cross}objdump" -hw "$1" | while read -r _ _ size flags; do
			[[ $flags != *\ LOAD,* ]] || echo $((16#$size))
		done | awk '{ sum += $1 } END { print sum }'
	else
		(ulimit -f 4096 && "${cross}objcopy" -O binary "$1" "$1.bin") 2>"$1.objcopy" && stat -c %s "$1.bin"
	fi
}

# examine SCRIPT PLACE CONFIGURATION [OPTION]...: prints "fine", or the first thing that is wrong. PLACE is where the
# block must be: in memory that is cleared at start, or else outside or inside the heap.
examine() {
	local script=$1 place=$2 configuration=$3 elf=$work/$1-$3.elf plain=$work/$1-plain.elf block end section found size limit
	shift 3
	linked "$script" "$configuration" "$elf" "$@" 2>"$elf.log" ||
		{ grep -m 1 -oE 'error:.*|undefined.*|warning:.*' "$elf.log" || echo "not linked"; return; }
	[[ -e $plain ]] || linked "$script" plain "$plain" || return
	symbols_of "$elf" >"$elf.symbols" && symbols_of "$plain" >"$plain.symbols"
	found=$(awk -v code="$code" '$4 == "F" && $5 ~ /^(bareprof_|__gnu_mcount_nc|_mcount|SysTick_Handler)/ {
		if ($2 != code) print $5 " is in " $2; count++ } END { if (count < 10) print "no recorder" }' "$elf.symbols")
	[[ -z $found ]] || { echo "${found%%$'\n'*}"; return; }
	block=$(address bareprof_block) size=$((16#$(value bareprof_block 3))) section=$(value bareprof_block 2)
	end=$((block + size))
	((size > 7000)) || { echo "the block has $size bytes"; return; }
	readelf -SW "$elf" | grep -qE " $section +NOBITS" || { echo "the block has contents"; return; }
	found=cleared
	((block >= $(address "${symbols[3]}") && end <= $(address "${symbols[4]}"))) || {
		found=outside
		((end <= $(address "$heap"))) || found=inside
	}
	[[ $found == "$place" ]] || { echo "the block is $found"; return; }
	# Alignment and text may take some bytes.
	limit=$(($(image_size "$plain") + $(contents "$elf") - $(contents "$plain") + 256))
	size=$(image_size "$elf") || { echo "the image has more than 4 MB"; return; }
	((size <= limit)) && echo fine || echo "the image has $size bytes, not $limit"
}

# finds NAME FINDING ARGUMENT...: examine prints the finding.
finds() {
	local name=$1 expected=$2 found
	shift 2
	found=$(examine "$@")
	if [[ $found == *"$expected"* ]]; then
		ok "$name"
	else
		not_ok "$name: ${found:-stopped}"
	fi
}

configured plain
configured bss
configured noinit BAREPROF_BLOCK_SECTION '".noinit"' BAREPROF_HASH_BYTES 0x40000
for script in $(sed -n 's/^\([a-z0-9-]*\) *|.*/\1/p' tests/drop-in/scripts.txt); do
	read_script "$script"
	finds "$script: code with code, the block in .bss" fine "$script" cleared bss
	finds "$script: .noinit is $noinit the heap" fine "$script" "$noinit" noinit
done
finds "functions that nothing calls may stay" fine cubemx cleared bss -Wl,--no-gc-sections
# Mistakes, each of which is detected.
configured other BAREPROF_BLOCK_SECTION '".bareprof"'
configured iram BAREPROF_CODE_SECTION .iram1.bareprof
finds "a poll without a link is not linked" "undefined reference to \`bareprof_poll'" cubemx cleared bss -DPOLL
finds "a section of another name has contents" 'the block has contents' cubemx outside other
finds "a section of another name is an orphan" "unplaced orphan section \`.bareprof'" esp32c3 outside other
finds "a section of another name is an orphan in Zephyr" "unplaced orphan section \`.bareprof'" zephyr outside other
finds "the linker places a build-id in another memory" 'the image has more than 4 MB' cubemx cleared bss -Wl,--build-id
finds "BAREPROF_CODE_SECTION places the code" 'is in .iram0.text' esp32c3 cleared iram
exit $((failures != 0))
