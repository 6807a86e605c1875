# SPDX-License-Identifier: MIT
# tables.pl CONSOLE JSON: compares the calls of a profile plus the calls it reports as dropped with the lines `calls ... N` of a
# console; both tables must have been full. Prints a summary, or the fault, on one line.
use strict;
use warnings;
use JSON::PP;

my ($console, $json) = @ARGV;

open my $lines, '<', $console or die "$console: $!\n";
my ($counted, $kept) = (0, 0);
/^calls .* (\d+)\r?$/ and $counted += $1 while <$lines>;

open my $file, '<', $json or die "$json: $!\n";
my $profile = decode_json(join '', <$file>);
$kept += $_->{count} for @{$profile->{arcs}};
my $dropped = $profile->{losses}{arcs_dropped};
my $coarse = $profile->{losses}{samples_table_full};

my $summary = "kept $kept calls, dropped $dropped, counted $counted; $coarse samples in coarse bins";
print "$summary\n";
exit($kept + $dropped == $counted && $kept && $dropped && $coarse ? 0 : 1);
