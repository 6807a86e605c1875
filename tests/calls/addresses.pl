# SPDX-License-Identifier: MIT
# addresses.pl PRINT_CALLS ELF: compares the function addresses that host/firmware/calls/ finds with the relocations that
# the linker kept (--emit-relocs). Each relocation that puts the entry of a function into a word, or completes it in a
# register, must be found, and each address found must have a relocation.
use strict;
use warnings;
no warnings 'portable';

my ($print_calls, $elf) = @ARGV;

sub lines_of {
	open my $input, '-|', @_ or die "$_[0]: $!\n";
	my @lines = <$input>;
	close $input or die "@_ failed\n";
	return @lines;
}

my (%is_entry, %found);
for (lines_of($print_calls, $elf)) {
	my ($kind, $site, $target) = split;
	$is_entry{hex $site} = 1 if $kind eq 'function';
	$found{hex $site} = 1 if $kind eq 'address';
}

my %is_loaded;
for (lines_of('readelf', '-SW', $elf)) {
	$is_loaded{$1} = 1 if /^\s*\[\s*\d+\]\s+(\S+)\s+(?:PROGBITS|\w+_ARRAY)\s.*\s[WXA]*A[A-Za-z]*\s/;
}

# Relocations that complete an address: words, and the second of two instructions. A compiler may move the first RISC-V
# instruction out of a loop, where it is not searched for; then nothing is expected.
my $words = qr/^R_(?:ARM_(?:ABS32|TARGET1)|RISCV_(?:32|64))$/;
my $last_halves = qr/^R_(?:ARM_(?:THM_)?MOVT_ABS|ARM_THM_ALU_ABS_G0_NC|RISCV_(?:PCREL_)?LO12_I)$/;
my (%expected, %has_relocation, %upper_half, $is_wanted);
for (lines_of('readelf', '-rW', $elf)) {
	$is_wanted = $is_loaded{$1} if /^Relocation section '\.rela?(\.\S+)'/;
	next unless $is_wanted &&
		/^([0-9a-f]+)\s+[0-9a-f]+\s+(R_\S+)\s+([0-9a-f]+)\s+(\S+)(?:\s+([-+])\s+([0-9a-f]+))?$/;
	my ($site, $type, $value, $name, $sign, $addend) = (hex $1, $2, hex $3, $4, $5 // '+', hex($6 // 0));
	$has_relocation{$site} = 1;
	my $target = $sign eq '+' ? $value + $addend : $value - $addend;
	$upper_half{$site} = $target if $type =~ /^R_RISCV_(?:(?:PCREL_)?HI20|RVC_LUI)$/;
	$target = $upper_half{$target} // 0 if $type eq 'R_RISCV_PCREL_LO12_I';
	# If addends are in words, targets relative to a section are unknown here.
	next if $type =~ /^R_ARM/ && $name =~ /^\./;
	my $is_function = $type =~ /^R_ARM/ ? ($target & 1) == 1 && $is_entry{$target & ~1} : $is_entry{$target};
	my $has_both = $type !~ /LO12_I$/ || exists $upper_half{$site - 4} || exists $upper_half{$site - 2};
	$expected{$site} = 1 if $is_function && $has_both && $type =~ /$words|$last_halves/;
}

my @missing = grep { !$found{$_} } sort { $a <=> $b } keys %expected;
my @unexpected = grep { !$has_relocation{$_} } sort { $a <=> $b } keys %found;
printf "    missing:  %x\n", $_ for @missing[0 .. ($#missing < 9 ? $#missing : 9)];
printf "    unexpected: %x\n", $_ for @unexpected[0 .. ($#unexpected < 9 ? $#unexpected : 9)];
(my $name = $elf) =~ s{^build/}{};
if (!%expected) {
	print "not ok $name: no relocations\n";
} elsif (@missing || @unexpected) {
	printf "not ok %s: %d missing and %d unexpected of %d addresses\n", $name, scalar @missing, scalar @unexpected,
		scalar keys %found;
} else {
	printf "ok %s: %d addresses of functions\n", $name, scalar keys %found;
}
