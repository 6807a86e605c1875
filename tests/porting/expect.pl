# SPDX-License-Identifier: MIT
# expect.pl CALLER JSON: the profile holds exactly the calls that tests/porting/work.c makes, called by CALLER, and most of
# its time is where the work is. Prints a summary, or what differs, on one line.
use strict;
use warnings;
use JSON::PP;

my $caller = shift;
my %expected = (
	"$caller -> work" => 1, 'work -> collect' => 4000, 'collect -> mix' => 12000,
	'work -> summarise' => 1000, 'summarise -> mix' => 1000,
);

local $/;
my $profile = decode_json(<>);
my (%seen, %samples);
for my $arc (grep { $_->{count} } @{$profile->{arcs}}) {
	$seen{join ' -> ', map { $profile->{functions}[$_]{name} } @$arc{qw(caller callee)}} += $arc->{count};
}
$samples{$_->{name}} += $_->{self_samples} for @{$profile->{functions}};

my @differences = map { sprintf '%s %d times, expected %d', $_, $seen{$_} // 0, $expected{$_} // 0 }
	grep { ($seen{$_} // 0) != ($expected{$_} // 0) } sort keys %{{%seen, %expected}};
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
print "18001 calls, $total samples\n";
