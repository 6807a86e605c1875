# SPDX-License-Identifier: MIT
# expect.pl CALLER JSON [ROUNDS]: the profile holds exactly the calls that tests/porting/work.c makes, called by CALLER,
# and most of its time is in the work. With ROUNDS, work() loops that often and is called for ever: the profile then
# holds all calls of each work(), except those that were running when the profile began and ended. Prints
# a summary, or the differences, on one line.
use strict;
use warnings;
use JSON::PP;

my ($caller, $file, $rounds) = @ARGV;
my %expected = (
	"$caller -> work" => 1, 'work -> collect' => $rounds // 4000, 'collect -> mix' => 3 * ($rounds // 4000),
	'work -> summarise' => ($rounds // 4000) / 4, 'summarise -> mix' => ($rounds // 4000) / 4,
);

open my $json, '<', $file or die "$file: $!\n";
local $/;
my $profile = decode_json(<$json>);
my (%seen, %samples);
for my $arc (grep { $_->{count} } @{$profile->{arcs}}) {
	$seen{join ' -> ', map { $profile->{functions}[$_]{name} } @$arc{qw(caller callee)}} += $arc->{count};
}
$samples{$_->{name}} += $_->{self_samples} for @{$profile->{functions}};

my $calls = $rounds ? $seen{"$caller -> work"} // 0 : 1;
my $slack = $rounds ? 1 : 0;
my @differences = map { sprintf '%s %d times, expected %d', $_, $seen{$_} // 0, $calls * ($expected{$_} // 0) }
	grep { abs(($seen{$_} // 0) - $calls * ($expected{$_} // 0)) > $slack * ($expected{$_} // 0) }
	sort keys %{{%seen, %expected}};
push @differences, "work() was called $calls times" if $calls < 1;
my $total = $profile->{total_samples};
push @differences, "the build is $profile->{identity}" if $profile->{identity} ne 'same';
push @differences, "only $total samples" if $total < 300;
push @differences, "$_ has no sample" for grep { !$samples{$_} } qw(mix collect);
push @differences, sprintf '%d of %d samples in mix', $samples{mix} // 0, $total if ($samples{mix} // 0) < $total / 2;
push @differences, "$_: $profile->{losses}{$_}"
	for grep { $profile->{losses}{$_} } qw(samples_outside samples_table_full arcs_dropped);
if (@differences) {
	print join('; ', @differences), "\n";
	exit 1;
}
my $all = 0;
$all += $_ for values %seen;
print "$all calls, $total samples\n";
