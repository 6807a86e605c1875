# SPDX-License-Identifier: MIT
# Functions that run a firmware under the plugin tests/qemu/shadow.c; to be sourced after tests/emulated/support.sh.

# The prefix of the plugin's name of an ISA: arm_m, rv32 or rv64.
isa_of() {
	case $(readelf -hW "$1") in
	*ELF64*) echo rv64 ;;
	*Machine:*RISC-V*) echo rv32 ;;
	*) echo arm_m ;;
	esac
}

# Prints `START END NAME` of each function, without Thumb bits. A function ends where the next one starts, unless that is
# a part of it: the size of newlib's strcmp() for the M4F is too large.
functions_of() {
	readelf -sW "$1" | perl -ne '
		my @f = split;
		next unless @f == 8 && $f[3] =~ /^(?:FUNC|NOTYPE)$/ && $f[6] ne "UND" && $f[7] !~ /^\$/;
		my $size = $f[2] =~ /^0x/ ? hex $f[2] : $f[2];
		push @all, [hex($f[1]) & ~1, $size, $f[7]] if $size != 0;
		END {
			my @kept;
			for (sort { $a->[0] <=> $b->[0] || $b->[1] <=> $a->[1] } @all) {
				my ($start, $end, $name) = ($_->[0], $_->[0] + $_->[1], $_->[2]);
				next if @kept && $end <= $kept[-1][1];
				$kept[-1][1] = $start if @kept && $start < $kept[-1][1];
				push @kept, [$start, $end, $name];
			}
			printf "%x %x %s\n", @$_ for @kept;
		}'
}

# Where exceptions begin, joined by ":": the vectors of a Cortex-M from NMI on, which come first in its image; the
# entries of the table of a RISC-V hart, or the only handler in the firmware of docs/PORTING.md.
handlers_of() {
	local elf=$1
	if [[ $(isa_of "$elf") == arm_m ]]; then
		readelf -x .vectors "$elf" | perl -ne '
			next unless /^  0x[0-9a-f]+ ((?:[0-9a-f]+ ){1,4})/;
			push @v, map { unpack "V", pack "H*", $_ } split " ", $1;
			END { my %seen; print join ":", map { sprintf "%x", $_ & ~1 } grep { $_ & 1 && !$seen{$_}++ } @v[2 .. $#v] }'
	elif [[ -n $(place_of "$elf" trap_vectors) ]]; then
		perl -e 'my ($at) = map { hex } @ARGV; print join ":", map { sprintf "%x", $at + 4 * $_ } 0 .. 11' \
			"$(address_of "$elf" trap_vectors)"
	else
		place_of "$elf" timer_interrupt
	fi
}

# The address of a Thumb or RISC-V function without a Thumb bit, or nothing.
place_of() {
	local address
	address=$(address_of "$1" "$2")
	[[ -z $address ]] || printf '%x' $((16#$address & ~1))
}

# entry_of ELF FUNCTION NUMBER: where an interrupt is entered: at its function on Arm, at an entry of RISC-V's table.
entry_of() {
	if [[ $(isa_of "$1") == arm_m ]]; then
		place_of "$1" "$2"
	else
		printf '%x' $((16#$(address_of "$1" trap_vectors) + 4 * $3))
	fi
}
sampler_of() {
	local porting
	porting=$(place_of "$1" TIMER_Handler)$(place_of "$1" timer_interrupt)
	if [[ -n $(place_of "$1" bareprof_isr_SysTick_Handler) ]]; then
		place_of "$1" SysTick_Handler
	elif [[ -n $porting ]]; then
		echo "$porting"
	else
		entry_of "$1" board_sampling_interrupt 7
	fi
}
work_entry_of() {
	entry_of "$1" work_interrupt 11
}

# The stacks of a firmware with tests/firmware/scheduler/ or rtos/; the first belongs to the code before the tasks.
stacks_of() {
	readelf -sW "$1" | awk '
		BEGIN { count["scheduler_stacks"] = 4; count["rtos_stacks"] = 8 }
		$8 in count { printf ",stacks=%s:%d:%d", $2, $3 / count[$8], count[$8] }'
}

# shadow_arguments ELF PATHS SAMPLER: the plugin's arguments for an ELF, after the plugin's name.
shadow_arguments() {
	local elf=$1 paths=$2 sampler=$3 setjmp
	functions_of "$elf" >"$paths.functions"
	printf ',isa=%s,handlers=%s,sampler=%s,paths=%s,functions=%s%s' "$(isa_of "$elf")" "$(handlers_of "$elf")" \
		"$sampler" "$paths" "$paths.functions" "$(stacks_of "$elf")"
	setjmp=$(place_of "$elf" setjmp)
	[[ -z $setjmp ]] || printf ',setjmp=%s' "$setjmp"
}

# shadow_plugin ELF PATHS COUNTS: the value of run.sh's --plugin for a profiled firmware. The files end where it stops its
# profile.
shadow_plugin() {
	printf 'build/qemu/shadow.so%s,counts=%s,start=%s,stop=%s' "$(shadow_arguments "$1" "$2" "$(sampler_of "$1")")" \
		"$3" "$(place_of "$1" bareprof_start)" "$(place_of "$1" bareprof_stop)"
}

# run_with_shadow BOARD ELF OUTPUT [RUN_OPTION]...: runs a firmware under the plugin until the console says that it is done;
# writes the capture to OUTPUT.bprof, the paths to OUTPUT.shadow and the counts to OUTPUT.counts.
run_with_shadow() {
	local board=$1 elf=$2 output=$3
	shift 3
	tests/qemu/run.sh --until 'demo: done' --console "$output.console" "$@" \
		--plugin "$(shadow_plugin "$elf" "$output.shadow" "$output.counts")" "$board" "$elf" \
		build/bareprof pull 'gdb:127.0.0.1:{port}' -e "$elf" -o "$output.bprof" 2>"$output.errors" && return
	cat "$output.errors" >&2
	return 1
}
