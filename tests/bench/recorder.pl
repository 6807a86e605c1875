# SPDX-License-Identifier: MIT
# recorder.pl BOARD RUN: a row of the table that recorder.sh prints, from RUN.json, RUN.counts and RUN.symbols.
use strict;
use warnings;
use JSON::PP;

sub slurp {
	open my $file, '<', $_[0] or die "$_[0]: $!\n";
	return <$file>;
}

my ($board, $run) = @ARGV;
my $profile = decode_json(join '', slurp("$run.json"));
my $calls = 0;
$calls += $_->{count} for @{$profile->{arcs}};
my $ticks = $profile->{losses}{ticks};

my @functions;
my ($first, $last);
for (slurp("$run.symbols")) {
	my (undef, $value, $size, $type, undef, undef, undef, $name) = split;
	next unless defined $name;
	$first = hex $value if $name eq 'bareprof_code_start';
	$last = hex $value if $name eq 'bareprof_code_end';
	push @functions, [hex($value) & ~1, $size, $name] if $type eq 'FUNC' && $size =~ /^\d+$/ && $size > 0;
}
my @recorder = sort { $a->[0] <=> $b->[0] } grep { $_->[0] >= $first && $_->[0] < $last } @functions;

# A call enters the hooks; everything else in the recorder's section is the sampling interrupt, except for starting and
# stopping, which run once.
my ($hooks, $interrupt, $all) = (0, 0, 0);
for (slurp("$run.counts")) {
	my ($address, $count) = split;
	$all += $count;
	$address = hex $address;
	next if $address < $first || $address >= $last;
	my ($owner) = grep { $address >= $_->[0] && $address < $_->[0] + $_->[1] } @recorder;
	my $name = defined $owner ? $owner->[2] : '';
	if ($name =~ /^(__gnu_mcount_nc|_mcount|bareprof_arc|bareprof_counter_increment)$/) {
		$hooks += $count;
	} elsif ($name !~ /^bareprof_(start|stop|state_change)$/) {
		$interrupt += $count;
	}
}
printf "%-16s %10d %12.1f %10d %12.1f %9.1f%%\n", $board, $calls, $hooks / $calls, $ticks, $interrupt / $ticks,
	100 * ($hooks + $interrupt) / $all;
