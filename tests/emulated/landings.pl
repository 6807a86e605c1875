# SPDX-License-Identifier: MIT
# landings.pl TITLE RUN: which instructions of the recorder were interrupted in a run of the stress firmware.
# RUN.code is the disassembly of the recorder's section, RUN.counts the plugin's file (address, executed outside and
# inside the sampling interrupt), RUN.console the firmware's output. Prints a row per instruction, and `ok` or `not ok`.
use strict;
use warnings;

sub lines_of {
	open my $file, '<', $_[0] or die "$_[0]: $!\n";
	return <$file>;
}

# Instructions in order: address, mnemonic, operands, function.
sub instructions_of {
	my ($function, @instructions) = ('');
	for (lines_of($_[0])) {
		$function = $1 if /^[0-9a-f]+ <(.+)>:$/;
		next unless /^\s*([0-9a-f]+):\t[0-9a-f ]+\t(\S+)\s*(.*?)\s*$/ && $2 !~ /^\./;
		push @instructions, {address => hex $1, mnemonic => $2, operands => $3, function => $function};
	}
	return @instructions;
}

# The addresses at which execution may continue after an instruction between masking and unmasking.
sub successors_of {
	my ($instruction, $next) = @_;
	my ($mnemonic, $operands) = @$instruction{qw(mnemonic operands)};
	my ($target) = $operands =~ /([0-9a-f]+) <[^>]+>$/;
	return hex $target if $mnemonic =~ /^b(\.[nw])?$/;
	return ($next, hex $target) if $mnemonic =~ /^(b(eq|ne|cs|cc|mi|pl|hi|ls|ge|lt|gt|le)(\.[nw])?|cbn?z)$/;
	die sprintf "%s at %x, with interrupts masked: not understood\n", $mnemonic, $instruction->{address}
		if $mnemonic =~ /^(bl|bx|blx|pop|svc|bkpt)(\.|$)/;
	return $next;
}

# Marks all instructions that run after `cpsid i`, up to the write of PRIMASK, by following every branch.
sub mark_masked {
	my @instructions = @_;
	my %index = map { $instructions[$_]{address} => $_ } 0 .. $#instructions;
	my @open = grep { $_ > 0 && $instructions[$_ - 1]{mnemonic} eq 'cpsid' } 0 .. $#instructions;
	while (defined(my $i = shift @open)) {
		my $instruction = $instructions[$i] // die "interrupts are never unmasked\n";
		next if $instruction->{masked}++;
		next if $instruction->{mnemonic} eq 'msr' && $instruction->{operands} =~ /^PRIMASK/;
		push @open, map { $index{$_} // die sprintf "not an instruction: %x\n", $_ }
			successors_of($instruction, $instructions[$i + 1]{address});
	}
}

# The reason why no interrupt can hit an instruction; undef if one can.
sub reason_of {
	my ($instruction) = @_;
	return 'runs with interrupts masked' if $instruction->{masked};
	# The boards mask around what sets the timer up.
	return 'is called with interrupts masked' if $instruction->{function} =~ /^bareprof_(mtimer|systick)_start$/;
	return undef if $instruction->{outside};
	return 'runs in the sampling interrupt only, which nothing interrupts' if $instruction->{inside};
	return 'never runs while interrupts do';
}

my ($title, $run) = @ARGV;
my @instructions = instructions_of("$run.code");
my %at = map { $_->{address} => $_ } @instructions;
@$_{qw(outside inside work sampling masked)} = (0) x 5 for @instructions;
for (lines_of("$run.counts")) {
	my ($address, $outside, $inside) = split;
	my $instruction = $at{hex $address} // die "executed, but not an instruction: $address\n";
	@$instruction{qw(outside inside)} = ($outside, $inside);
}
for (lines_of("$run.console")) {
	my ($address, $work, $sampling) = /^landing (\S+) (\d+) (\d+)/ or next;
	my $instruction = $at{hex $address} // die "interrupted, but not an instruction: $address\n";
	@$instruction{qw(work sampling)} = ($work, $sampling);
}
mark_masked(@instructions);

printf "# %s: the recorder's instructions, how often each was executed below the sampling interrupt, and\n" .
	"# how often the second interrupt and the sampling interrupt landed on it\n", $title;
my ($function, @wrong, %unreachable) = ('');
my ($reachable, $by_work, $by_sampling, $fewest) = (0, 0, 0);
my %is_entered = map { $_->{function} => 1 } grep { $_->{outside} } @instructions;
my $not_run = 0;
for my $instruction (@instructions) {
	my ($address, $outside, $work, $sampling) = @$instruction{qw(address outside work sampling)};
	my $reason = reason_of($instruction);
	print "# ", $function = $instruction->{function}, "\n" if $instruction->{function} ne $function;
	printf "# %8x %10d %7d %7d  %s%s\n", $address, $outside, $work, $sampling,
		join(' ', @$instruction{qw(mnemonic operands)}), defined $reason ? "  <- $reason" : '';
	my $what = sprintf '%x (%s) %s', $address, $instruction->{function}, $instruction->{mnemonic};
	if (defined $reason) {
		$unreachable{$reason}++;
		$not_run++ if $is_entered{$instruction->{function}} && !$instruction->{outside};
		push @wrong, "$what $reason, and an interrupt came to it" if $work + $sampling;
		next;
	}
	$reachable++;
	$fewest = $work + $sampling if !defined $fewest || $work + $sampling < $fewest;
	push @wrong, "$what ran $outside times and no interrupt came to it" if $work + $sampling == 0;
	$by_work += $work > 0;
	$by_sampling += $sampling > 0;
}
push @wrong, "$not_run instructions of the functions that run below the sampling interrupt did not, only $reachable did"
	if $not_run > $reachable / 10 || $reachable < 50;
push @wrong, "the second interrupt came to $by_work only, the sampling interrupt to $by_sampling"
	if $by_work < $reachable / 2 || $by_sampling < $reachable / 2;
printf "# not reachable: %d %s\n", $unreachable{$_}, $_ for sort keys %unreachable;
my $found = sprintf '%d of %d, at least %d times each; the second interrupt on %d, the sampling interrupt on %d',
	$reachable, scalar @instructions, $fewest // 0, $by_work, $by_sampling;
printf "%sok interrupts land on each instruction of the recorder that they can, %s%s\n", @wrong ? 'not ' : '', $title,
	@wrong ? ': ' . join('; ', @wrong) : " ($found)";
exit(@wrong ? 1 : 0);
