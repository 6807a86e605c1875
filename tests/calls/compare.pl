# SPDX-License-Identifier: MIT
# compare.pl OBJDUMP PRINT_CALLS ELF: compares the calls and tail calls that host/firmware/calls/ finds with objdump's
# disassembly, in both directions. objdump names the targets of direct calls and jumps. Values of registers are derived
# here from the text, within blocks that no branch enters. A linker's veneer is recognised by its name.
use strict;
use warnings;
no warnings "portable";

my ($objdump, $print_calls, $elf) = @ARGV;

sub lines_of {
	open my $input, '-|', @_ or die "$_[0]: $!\n";
	my @lines = <$input>;
	close $input or die "@_ failed\n";
	return @lines;
}

# --- The calls found.
my (%found, @starts, %end_of, %name_at);
for (lines_of($print_calls, $elf)) {
	my ($kind, $site, $target, $name) = split;
	if ($kind eq 'function') {
		push @starts, hex $site;
		$end_of{hex $site} = hex $target;
		$name_at{hex $site} = $name;
	} elsif ($kind ne 'address') {
		$found{"$kind $site" . ($kind eq 'indirect' ? '' : " $target")} = 1;
	}
}

sub function_at {
	my ($address) = @_;
	my ($low, $high) = (0, scalar @starts);
	while ($low < $high) {
		my $middle = int(($low + $high) / 2);
		if ($starts[$middle] <= $address) { $low = $middle + 1 } else { $high = $middle }
	}
	return $low > 0 && $address < $end_of{$starts[$low - 1]} ? $name_at{$starts[$low - 1]} : '';
}

# --- Veneers.
my (%value_of, %after_veneer);
for (lines_of($objdump, '-t', $elf)) {
	$value_of{$2} = hex $1 if /^([0-9a-f]+) .* (\S+)$/;
}
for my $name (keys %value_of) {
	next unless $name =~ /^__(.+)_(?:veneer|from_thumb|from_arm)$/ && exists $value_of{$1};
	$after_veneer{$value_of{$name}} = $value_of{$1};
}

# --- The disassembly.
my (@code, %word_at, %is_label, %is_code, $format);
for (lines_of($objdump, '-d', '--no-show-raw-insn', '-z', $elf)) {
	$format = $1 if /file format (\S+)/;
	next unless /^\s*([0-9a-f]+):\s+(\S.*)$/;
	my ($address, $text) = (hex $1, $2);
	$word_at{$address} = hex $1 if $text =~ /^\.word\s+0x([0-9a-f]+)/;
	my ($mnemonic, $operands) = $text =~ /^(\S+)\s*(.*)$/;
	push @code, {address => $address, mnemonic => $mnemonic, operands => $operands};
	$is_code{$address} = 1 unless $mnemonic =~ /^\./;
}
my ($isa) = $format =~ /(arm|riscv)/ or die "$elf: $format\n";

my $arm_condition = qr/(?:eq|ne|cs|cc|mi|pl|vs|vc|hi|ls|ge|lt|gt|le)/;
my %call = (arm => qr/^blx?$arm_condition?$/, riscv => qr/^(jal|jalr|call)$/);
my %jump = (
	arm => qr/^(b$arm_condition?(\.[nw])?|cbn?z|bx$arm_condition?)$/,
	riscv => qr/^(j|jr|b[a-z]+)$/,
);
my %end = (arm => qr/^(b(\.[nw])?|bx|tb[bh])$/, riscv => qr/^(j|jr|ret|mret)$/);

# The last number of the operands that is followed by a symbol.
sub target_of {
	my ($instruction) = @_;
	my $operands = $instruction->{operands};
	return if $instruction->{mnemonic} =~ /^(bfc|bfi|bic|bkpt|bti|bset|bext)/;
	return hex $1 if $operands =~ /(?:^|,)\s*(?:0x)?([0-9a-f]+) </;
	return hex $1 if $isa eq 'riscv' && $operands =~ /# ([0-9a-f]+) </;
	return;
}

for my $instruction (@code) {
	my $target = target_of($instruction);
	$is_label{$target} = 1 if defined $target && $instruction->{mnemonic} =~ $jump{$isa};
}

# --- Constants in registers.
my %register;

sub literal {
	my ($operands) = @_;
	return $operands =~ /\[pc[^@]*@ \(?([0-9a-f]+)/ && exists $word_at{hex $1} ? $word_at{hex $1} : undef;
}

sub keep {
	my ($name, $value) = @_;
	if (defined $value) { $register{$name} = $value } else { delete $register{$name} }
}

sub track_arm {
	my ($mnemonic, $operands) = @_;
	my ($first, $rest) = $operands =~ /^(\w+)(?:, (.*))?/ ? ($1, $2 // '') : ('', '');
	return if $mnemonic =~ /^(str(?!ex)|stm|push|cmp|cmn|tst|teq|nop|it)/ && $operands !~ /!|\], #/;
	return keep($first, literal($operands)) if $mnemonic =~ /^ldr(\.[nw])?$/ && $rest =~ /^\[pc/;
	return keep($first, $rest =~ /^#(\d+)/ ? $1 : undef) if $mnemonic =~ /^mov[sw]?(\.w)?$/ && $rest =~ /^#/;
	return keep($first, $register{$rest}) if $mnemonic =~ /^mov(\.w)?$/ && $rest =~ /^\w+$/;
	return keep($first, $rest =~ /^#(\d+)/ && defined $register{$first}
			? $register{$first} & 0xFFFF | $1 << 16 : undef) if $mnemonic eq 'movt';
	delete $register{$first};
	delete @register{$operands =~ /(\w+)/g} if $mnemonic =~ /^(ldm|pop|ldrd|strd|[us]m[ul]|v|mrrc|strex)/ || $operands =~ /!|\], #/;
}

# --- The calls expected.
my %expected;

sub expect_flow {
	my ($kind, $site, $target) = @_;
	if ($kind eq 'direct') {
		return unless $is_code{$target};
	} else {
		return unless exists $name_at{$target} && $name_at{$target} ne function_at($site);
	}
	$target = $after_veneer{$target} // $target;
	$expected{sprintf '%s %x %x', $kind, $site, $target} = 1;
}

for my $instruction (@code) {
	my ($address, $mnemonic, $operands) = @$instruction{qw(address mnemonic operands)};
	%register = () if $is_label{$address} || exists $name_at{$address} || $mnemonic =~ /^\./;
	my $is_call = $mnemonic =~ $call{$isa};
	my $is_jump = $mnemonic =~ $jump{$isa};
	my $target = $is_call || $is_jump ? target_of($instruction) : undef;
	$target = $register{$1} if !defined $target && ($is_call || $is_jump) && $operands =~ /^(\w+)$/;
	$target &= ~1 if $isa eq 'arm' && defined $target;
	if ($isa eq 'arm' && $mnemonic =~ /^ldr/ && $operands =~ /^pc, \[pc/) {
		$target = literal($operands);
		expect_flow('tail', $address, $target & ~1) if defined $target;
		%register = ();
	} elsif ($is_call && defined $target) {
		expect_flow('direct', $address, $target);
	} elsif ($is_call || $isa eq 'arm' && $mnemonic eq 'blxns') {
		$expected{sprintf 'indirect %x', $address} = 1;
	} elsif ($is_jump && defined $target) {
		expect_flow('tail', $address, $target);
	} elsif ($isa eq 'arm') {
		track_arm($mnemonic, $operands);
	}
	%register = () if $is_call || $mnemonic =~ $end{$isa};
}

# --- The comparison.
my @missing = grep { !$found{$_} } sort keys %expected;
my @unexpected = grep { !$expected{$_} } sort keys %found;
print "    missing:  $_\n" for @missing[0 .. ($#missing < 9 ? $#missing : 9)];
print "    unexpected: $_\n" for @unexpected[0 .. ($#unexpected < 9 ? $#unexpected : 9)];
my %count;
$count{(split)[0]}++ for keys %found;
my $counts = join ', ', map { ($count{$_} // 0) . " $_" } qw(direct tail indirect);
(my $name = $elf) =~ s{^build/}{};
if (!$count{direct}) {
	print "not ok $name: no calls\n";
} elsif (@missing || @unexpected) {
	printf "not ok %s: %d missing and %d unexpected of %s\n", $name, scalar @missing, scalar @unexpected, $counts;
} else {
	print "ok $name: $counts\n";
}
