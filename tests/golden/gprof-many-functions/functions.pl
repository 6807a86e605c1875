# SPDX-License-Identifier: MIT
# Writes many.s, a main and 12,000 functions, and gmon.out, in which main calls each with its own number of calls.
use strict;
use warnings;

my $count = 12000;
my $base = 0x8000;
open my $source, '>', 'many.s' or die;
open my $profile, '>:raw', 'gmon.out' or die;
print $source "\t.syntax unified\n\t.cpu cortex-m3\n\t.thumb\n\t.text\n";
print $profile 'gmon', pack('V x12', 1);
print $profile pack('C V4 a15 a', 0, $base, $base + 8, 2, 100, 'seconds', 's'), pack('v2', 100, 0);
for my $i (0 .. $count) {
	my $name = $i == 0 ? 'main' : "f$i";
	print $source "\t.global $name\n\t.type $name, %function\n\t.thumb_func\n$name:\n\tnop\n\tnop\n";
	print $profile pack('C V3', 1, $base + 2, $base + 4 * $i, $i) if $i > 0;
}
print $source "\t.global end\nend:\n\tnop\n";
