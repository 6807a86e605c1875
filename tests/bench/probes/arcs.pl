# SPDX-License-Identifier: MIT
# arcs.pl OBJDUMP ELF: the arcs of all direct calls in an ELF as its firmware would record them, a line `CALLER CALLEE`
# in hexadecimal each, in the order of the call sites. CALLER is the return address; CALLEE is the return address of the
# hook's call where the function has one (-pg), else where it begins (as -finstrument-functions says). On Arm both have
# bit 0 set.
use strict;
use warnings;

my ($objdump, $elf) = @ARGV;
my (%callee_of, @calls, $function, $pending, $is_thumb);

open my $input, '-|', $objdump, '-d', '--no-show-raw-insn', $elf or die "$objdump: $!\n";
while (<$input>) {
	$is_thumb ||= /file format elf32-littlearm/;
	if (/^([0-9a-f]+) <.*>:$/) {
		$function = hex $1;
		$callee_of{$function} //= $function;
	}
	next unless /^\s*([0-9a-f]+):\s+(\S+)\s*(.*)/;
	my ($address, $mnemonic, $operands) = (hex $1, $2, $3);
	# The return address is the instruction after a call.
	if (defined $pending) {
		if ($pending->{is_hook}) {
			$callee_of{$pending->{function}} = $address;
		} else {
			push @calls, [$address, $pending->{target}];
		}
		undef $pending;
	}
	next unless $mnemonic =~ /^(bl|call|jal|jalr)$/;
	my ($target, $name) = $operands =~ /\b([0-9a-f]+) <([^>+]+)>/ or next;
	my $is_hook = $name =~ /^(__gnu_mcount_nc|_mcount)$/;
	$pending = {target => hex $target, is_hook => $is_hook, function => $function};
}
close $input or die "$objdump $elf failed\n";

my $bit = $is_thumb ? 1 : 0;
my %seen;
for (@calls) {
	my ($caller, $target) = @$_;
	my $arc = sprintf '%x %x', $caller | $bit, ($callee_of{$target} // $target) | $bit;
	print "$arc\n" unless $target == 0 || $seen{$arc}++;
}
