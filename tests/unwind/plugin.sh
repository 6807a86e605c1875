#!/bin/bash
# SPDX-License-Identifier: MIT
# plugin.sh BOARD: tests the plugin tests/qemu/shadow.c by a firmware that keeps its own call stack, and this test by
# plugins that are broken in one place each.
work_of=$1
source tests/emulated/support.sh
source tests/unwind/shadow.sh
board=$1
elf=build/firmware/$board/own_stack+hooks.elf
arguments=$(shadow_arguments "$elf" "$work/paths" "$(work_entry_of "$elf")"),point=$(place_of "$elf" point)
arguments+=,stop=$(place_of "$elf" own_write)

# compare PLUGIN ARGUMENTS: runs the firmware, and compares its stacks with the plugin's.
compare() {
	tests/qemu/run.sh --until 'demo: done' --console "$work/console" --plugin "$1$2" "$board" "$elf" true &&
		perl tests/unwind/own_stack.pl "$work/console" "$work/paths" "$work/paths.functions"
}

name="the plugin's stacks equal the firmware's: $board"
if compare build/qemu/shadow.so "$arguments"; then
	ok "$name"
else
	not_ok "$name"
fi

# Functions of C++ have names of any length.
name="names of 300 characters are counted: $board"
sed -E "s/[^ ]*$/$(printf 'x%.0s' {1..300})/" "$work/paths.functions" >"$work/long.functions"
if compare build/qemu/shadow.so "${arguments/paths.functions/long.functions},counts=$work/counts,start=$(place_of "$elf" main)" >"$work/long.log" 2>&1 &&
	grep -q '^function' "$work/counts" && ! grep -qvE '^arc|^function [0-9a-f]+ x{300} [0-9]+ [0-9]+$' "$work/counts"; then
	ok "$name"
else
	not_ok "$name: $(grep -m 1 -vE '^arc| x{300} ' "$work/counts")"
fi

# broken NAME FILE SED_SCRIPT: a plugin from changed sources.
broken() {
	local name="a plugin that $1 is noticed: $board" folder=$work/broken
	mkdir -p "$folder"
	cp tests/qemu/{shadow,branches,call_stack,call_tree}.c tests/qemu/*.h "$folder"
	sed -i "$3" "$folder/$2"
	if cmp -s "$folder/$2" "tests/qemu/$2"; then
		not_ok "$name: nothing was changed"
	elif ! ${CC:-cc} -std=c11 -O1 -shared -fPIC "$folder"/{shadow,branches,call_stack,call_tree}.c -o "$folder/shadow.so"; then
		not_ok "$name: it cannot be built"
	elif compare "$folder/shadow.so" "${4-$arguments}" >"$work/broken.log" 2>&1; then
		not_ok "$name: it passed"
	else
		ok "$name"
	fi
}

broken 'misses calls through registers' branches.c 's/indirect(BRANCH_CALL)/indirect(BRANCH_JUMP)/
	s/? BRANCH_CALL : jump_by_register/? BRANCH_JUMP : jump_by_register/'
broken 'keeps frames after a return' call_stack.c 's/cut(stack, stack->depth - 1);/;/'
broken 'does not follow longjmp()' call_stack.c 's/if (follow_longjmp(/if (0 \&\& follow_longjmp(/'
broken 'takes any buffer of longjmp()' call_stack.c 's/serial_below(stack, buffer->depth) != buffer->serial/buffer->serial == 0/
	s/for (size_t i = stack->buffer_count; i-- > 0;)/for (size_t i = 0; i < stack->buffer_count; i++)/'
broken 'stays in a handler' shadow.c 's/if (handler_has_returned(at))/if (0)/'
broken 'sees no exceptions' shadow.c 's/if (is_entry(/if (0 \&\& is_entry(/'
broken 'forgets the call that an interrupt came after' shadow.c 's/	call_stack_note_tick(/	running_stack()->last = NULL, call_stack_note_tick(/'
broken 'stays on the stack of one task' shadow.c 's/	task = accessed;/	;/
	s/	task = level->task;/	;/'
if [[ $board == mps2-* ]]; then # handlers of RISC-V are not interrupted
	broken 'takes no interrupt for one before the first instruction of a handler' shadow.c 's/	write_late_arrivals(/	if (0) write_late_arrivals(/'
	broken 'takes each interrupt before a handler for one in it' shadow.c \
		's/	write_late_arrivals(running_stack(), at);/	write_late_arrivals(running_stack(), at), running_stack()->tick_count = 0;/'
fi
exit $((failures > 0))
