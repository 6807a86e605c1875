# SPDX-License-Identifier: MIT
# core_stacks.pl RUN: checks the slices of two cores that run tests/firmware/cores/, compiled to record no calls: each
# block's are of the core's own stack and code, and so are the paths of the profile, alone and in a sum. RUN.bprof is the
# capture, RUN.symbols the output of readelf -s, RUN.paths of print_paths, RUN.folded and RUN.sum the folded stacks of
# the capture and of twice the capture. Prints a summary, or the errors, on one line.
use strict;
use warnings;
use lib 'tests/emulated';
use List::Util qw(max min sum0);
use Slices;

my ($run) = @ARGV;
my (@wrong, @summary);

# The paths of each core without the frames of startup code, and the depth of its recursion.
my $INNER = qr/( mix| twist|( descend)+( twist)?)?/;
my @cores = (
	{thread => qr/^main profile_rounds( first_round)?$INNER$/, depth => 3, interrupts => 1},
	{thread => qr/^second_main profile_rounds( second_round)?$INNER$/, depth => 5},
);
my $OTHER = qr/\b(second_\w+|first_round|main)\b/;

sub lines_of {
	open my $file, '<', $_[0] or die "$_[0]: $!\n";
	return <$file>;
}

sub depth_of {
	return scalar(() = $_[0] =~ /descend/g);
}

# Whether the core may be on this path; interrupts are of the first.
sub is_of_core {
	my ($core, $path, $is_interrupt) = @_;
	return $core->{interrupts} && $path !~ $OTHER if $is_interrupt;
	return $path =~ $core->{thread} && depth_of($path) <= $core->{depth};
}

my $functions = functions_of_elf("$run.symbols");
sub name_of {
	my ($address) = @_;
	for (sort keys %$functions) {
		return $_ if $address >= $functions->{$_}{start} && $address < $functions->{$_}{end};
	}
	return sprintf '0x%x', $address;
}

# The stack of the second core is a variable.
my ($second_stack) = map { m/^ *\d+: ([0-9a-f]+) +4096 OBJECT .* stack(?:\.\d+)?$/ ? hex $1 : () } lines_of("$run.symbols");
my @blocks = blocks_with_slices("$run.bprof");
push @wrong, sprintf '%d blocks', scalar @blocks if @blocks != @cores;

# Slices are printed block by block, by their numbers.
my ($at, $last, @deepest) = (0, 0);
for (lines_of("$run.paths")) {
	my ($number, $pc, $end, undef, undef, @returns) = split;
	$at++ if $number <= $last;
	$last = $number;
	my $path = join ' ', reverse map { name_of($_) } hex $pc, map { hex($_) - 1 } @returns;
	$path =~ s/^(startup|reset_handler) //;
	push @wrong, "slice $number of core $at: $end: $path" if !is_of_core($cores[$at], $path, $end eq 'exception');
	$deepest[$at] = max($deepest[$at] // 0, depth_of($path)) if $end ne 'exception';
}
for my $i (0 .. $#cores) {
	my $block = $blocks[$i];
	my $unrelated = grep { ($_->{sp} > $second_stack && $_->{sp} <= $second_stack + 4096) != $i } @{$block->{slices}};
	push @wrong, "$unrelated slices of another stack in block $i" if $unrelated;
	push @wrong, scalar(@{$block->{slices}}) . " slices in block $i"
		if @{$block->{slices}} != min($block->{ticks}, $block->{capacity});
	push @wrong, "recursion of core $i is not $cores[$i]{depth} deep" if ($deepest[$i] // 0) != $cores[$i]{depth};
}

# Samples by path. A granule may belong to functions of both cores, so a few are wrong.
sub folded_paths {
	my %paths = map { /^core (\d);(.*) ([0-9]+)$/ ? ("$1 $2" => $3) : die "unknown line: $_" } lines_of($_[0]);
	return \%paths;
}
my ($alone, $sum) = map { folded_paths("$run.$_") } qw(folded sum);
for my $i (0 .. $#cores) {
	my @own = grep { /^$i / } keys %$alone;
	my $samples = sum0(@$alone{@own});
	push @wrong, "$samples samples of core $i, not $blocks[$i]{ticks}" if $samples != $blocks[$i]{ticks};
	my $strange = sum0(@$alone{grep {
		my ($path) = /^$i (.*)/;
		my $is_interrupt = $path =~ s/^<exception>;//;
		$path =~ s/^(startup|reset_handler|<task entry>);//;
		!is_of_core($cores[$i], $path =~ tr/;/ /r, $is_interrupt);
	} @own});
	push @wrong, "$strange of $samples samples of core $i are on other paths" if $strange > $samples / 50;
	push @summary, "core $i: $samples samples, $strange on other paths";
}
# Both are rounded to whole samples, and a sum has enough slices to keep more functions apart.
for (sort keys %{{%$alone, %$sum}}) {
	my ($once, $twice) = map { $_ // 0 } $alone->{$_}, $sum->{$_};
	push @wrong, "$once samples of $_ became $twice in the sum" if abs(2 * $once - $twice) > 3;
}
print join('; ', @wrong ? @wrong : @summary), "\n";
exit !!@wrong;
