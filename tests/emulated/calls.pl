# SPDX-License-Identifier: MIT
# calls.pl CONSOLE JSON [ARC]: compares the lines `calls NAME CALL-SITE PC N` of a console with the arcs of a profile: both
# ends of each and its count. ARC, as in "main calls work", must be among them. Prints a summary, or the differences, on
# one line.
use strict;
use warnings;
use JSON::PP;

# Arm's EXC_RETURN: Armv7-M ARM B1.5.8.
use constant EXC_RETURN => 0xFFFFFFE0;

my ($console, $json, @wanted) = @ARGV;

open my $file, '<', $json or die "$json: $!\n";
my $profile = decode_json(join '', <$file>);
my @functions = @{$profile->{functions}};

# The compiler's clone of a function (f.isra.0) counts as that function.
sub source_name {
	my ($name) = @_;
	chomp($name = qx(c++filt '$name')) if $name =~ /^_Z\w+/;
	$name =~ s/(\.|\[clone ).*// if $name !~ /^</;
	return $name;
}
$_->{source} = source_name($_->{name}) for @functions;

sub name_at {
	my ($address) = @_;
	my ($owner) = grep { $_->{address} <= $address && $address < $_->{address} + $_->{size} } @functions;
	return $owner ? $owner->{source} : sprintf 'nothing at 0x%x', $address;
}

# The bit of Thumb code is not part of an address; the call is before its return address.
sub name_of_caller {
	my ($return_address) = @_;
	return $return_address >= EXC_RETURN && $return_address <= 0xFFFFFFFF
		? '<exception>' : name_at(($return_address & ~1) - 1);
}

open my $lines, '<', $console or die "$console: $!\n";
my (%counted, %is_counted, @differences);
while (<$lines>) {
	s/\r?\n//;
	push @differences, $_ if /^calls were lost/;
	my ($name, $call_site, $pc, $count) = /^calls (\S+) ([0-9a-f]+) ([0-9a-f]+) (\d+)$/ or next;
	my $callee = name_at(hex $pc);
	push @differences, "$name is in $callee" if index($callee, $name) < 0;
	$is_counted{$callee} = 1;
	$counted{name_of_caller(hex $call_site) . " calls $callee"} += $count;
}

my %profiled;
for my $arc (@{$profile->{arcs}}) {
	my ($caller, $callee) = map { $functions[$arc->{$_}]{source} } qw(caller callee);
	$profiled{"$caller calls $callee"} += $arc->{count} if $is_counted{$callee} && $arc->{count};
}

my %all = (%counted, %profiled);
push @differences, map { sprintf '%s %d times, counted %d', $_, $profiled{$_} // 0, $counted{$_} // 0 }
	grep { ($profiled{$_} // 0) != ($counted{$_} // 0) } sort keys %all;
my $lost = $profile->{losses}{arcs_dropped};
my $calls = 0;
$calls += $_ for values %counted;

push @differences, map { "$_ is missing" } grep { !$profiled{$_} } @wanted;
push @differences, "$lost calls dropped" if $lost;
push @differences, 'the firmware counted too few calls' if keys %is_counted < 12 || $calls < 1000;
if (@differences) {
	print join('; ', @differences), "\n";
	exit 1;
}
printf "%d functions, %d arcs, %d calls\n", scalar keys %is_counted, scalar keys %counted, $calls;
