# SPDX-License-Identifier: MIT
# paths.pl CAPTURE PATHS FUNCTIONS [NAME=VALUE]...: compares the tree of a capture with the paths that tests/qemu/shadow.c wrote.
# Paths of tasks must also have the context of their task. Prints a summary, or what differs, on one line.
#
#	wrong=N      the percentage of paths that may differ (default 0): code of a compiler's library with wrong frame
#	             information
#	unknown=N    the percentage of paths that may end in code without frame information (default 10)
#	full=N       the percentage of samples that may find no free node among the few that are tried (default 0): one third
#	             of a tree is enough for one path in ten thousand
use strict;
use warnings;

use constant INNER => 'inner'; # the end of a path that is cut at its outer end

my ($capture, $paths, $functions, @limits) = @ARGV;
my %limit = (wrong => 0, unknown => 10, full => 0, map { split /=/ } @limits);
my %kinds = (root => 0, task => 1, exception => 2);
my (@functions, %truth, %inner, %tasks, %tree, %contexts);
my $samples = 0;

sub lines_of {
	open my $file, '<', $_[0] or die "$_[0]: $!\n";
	return <$file>;
}

for (lines_of($functions)) {
	my ($start, $end, $function) = split;
	push @functions, [hex $start, hex $end, $function];
}

# A function may end with a call.
sub outermost_of {
	my ($pc, @returns) = @_;
	return function_at(@returns ? $returns[-1] - 1 : $pc);
}

# The start of the function that contains an address. Code without a function begins where the one before ends.
sub function_at {
	my $address = shift;
	my ($low, $high) = (0, scalar @functions);
	while ($low < $high) {
		my $middle = int(($low + $high) / 2);
		if ($functions[$middle][1] <= $address) { $low = $middle + 1 } else { $high = $middle }
	}
	return $low ? $functions[$low - 1][1] : 0 if $low == @functions || $functions[$low][0] > $address;
	return $functions[$low][0];
}

# A path as text: how it ends, the sampled function, and return addresses, the innermost first.
sub path {
	my ($end, $pc, @returns) = @_;
	return join ' ', $end, map { sprintf '%x', $_ } function_at($pc), @returns;
}

for (lines_of($paths)) {
	die "the plugin lost its way: $_" if /^unexpected/;
	next if !s/^(l?)(?=\d)//;
	$samples++ if !$1; # else the line is another possible path of the same tick
	my (undef, $pc, $end, undef, undef, @returns) = split;
	die "unknown end $end\n" if !exists $kinds{$end};
	@returns = map { hex } @returns;
	$truth{path($kinds{$end}, hex $pc, @returns)}++;
	# Code without frame information, such as the compiler's division, cuts paths.
	$tasks{outermost_of(hex $pc, @returns)} = 1 if $end eq 'task';
	$inner{path(INNER, hex $pc, @returns[0 .. $_ - 1])}++ for 0 .. @returns;
}

my $bytes = do { local $/; open my $file, '<:raw', $capture or die "$capture: $!\n"; <$file> };
my ($width, $entries) = unpack 'x12 C C', $bytes;
my ($word, $thumb) = ($width == 8 ? 'Q<' : 'L<', 0);
my (@nodes, @totals);
for my $entry (0 .. $entries - 1) {
	my ($kind, undef, $size, $offset, $capacity) = unpack 'C C S< L< L<', substr $bytes, 0x90 + 16 * $entry, 16;
	@nodes = map { [unpack "$word S< S< L<", substr $bytes, $offset + $size * $_, $size] } 0 .. $capacity - 1 if $kind == 11;
	@totals = unpack 'L<*', substr $bytes, $offset, 4 * $capacity if $kind == 10;
}

my $counted = 0;
for my $leaf (grep { $_->[2] == 4 } @nodes) {
	my ($at, @returns) = $leaf->[1];
	for (; $nodes[$at][2] == 2; $at = $nodes[$at][1]) {
		push @returns, $nodes[$at][0] & ~1;
	}
	$tree{path($nodes[$at][2] >> 8, $leaf->[0], @returns)} += $leaf->[3];
	$contexts{outermost_of($leaf->[0], @returns)}{$nodes[$at][0]} += $leaf->[3] if $nodes[$at][2] >> 8 == 1;
	$counted += $leaf->[3];
}

my ($offered, $bad, $full, $crc) = @totals[0, 1, 6, 7];
my @wrong;
push @wrong, 'no table was used' if !$crc;
push @wrong, "$full lost to a full tree" if $full > $limit{full} / 100 * $offered;
push @wrong, "$bad bad stack pointers" if $bad;
push @wrong, "$counted samples of $offered" if $counted + $full != $offered;
my ($long, $unknown, $differ, $example) = (0, 0, 0, '');
for (keys %tree) {
	my ($end) = /^(\d+)/;
	my $is_cut = $end == 3 || $end == 4;
	$long += $tree{$_} if $end == 3;
	$unknown += $tree{$_} if $end == 4;
	my $more = $tree{$_} - (($is_cut ? $inner{s/^\d+/${\INNER}/r} : $truth{$_}) // 0);
	next if $more <= 0;
	$differ += $more;
	$example = "$more of $_";
}
my %used;
for my $entry (keys %tasks) {
	my ($most, $other) = sort { $contexts{$entry}{$b} <=> $contexts{$entry}{$a} } keys %{$contexts{$entry}};
	# While tasks are switched, the context may already be the next task's.
	push @wrong, sprintf 'the task that begins at %x has no context of its own', $entry
		if !defined $most || $used{$most}++ || (defined $other && $contexts{$entry}{$other} * 20 > $contexts{$entry}{$most});
}
push @wrong, "$differ of $samples paths differ, such as $example" if $differ > $limit{wrong} / 100 * $samples || $samples != $offered;
push @wrong, "$unknown paths end in code without frame information" if $unknown > $limit{unknown} / 100 * $samples;
print join('; ', @wrong ? @wrong : sprintf '%d ticks, %d wrong, %d without frame information, %d cut after 64 calls, %d paths, %d nodes, %d tasks', $offered, $differ, $unknown, $long, scalar keys %tree,
	scalar(grep { $_->[2] } @nodes), scalar keys %tasks), "\n";
exit !!@wrong;
