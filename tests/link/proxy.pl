# SPDX-License-Identifier: MIT
# proxy.pl PROXY FOLDER: sends a known stream through the proxy and compares the output with the requested faults and
# with the counts it reports. Prints `ok` or `not ok` for each check.
use strict;
use warnings;
use IO::Socket::INET;
use Time::HiRes qw(sleep time);

my ($proxy, $folder) = @ARGV;
my $failures = 0;

sub verdict {
	my ($holds, $what) = @_;
	print $holds ? 'ok' : 'not ok', " $what\n";
	$failures++ unless $holds;
}

sub slurp {
	my ($path) = @_;
	open my $file, '<:raw', $path or die "$path: $!\n";
	local $/;
	return scalar <$file> // '';
}

# --- A stream in which every fault shows: neighbouring bytes differ, and none is ASCII.

my $length = 1_000_000;
my ($stream, $state, $last) = ('', 1, 0);
while (length $stream < $length) {
	$state = ($state * 1103515245 + 12345) & 0x7FFFFFFF;
	my $byte = 0x80 | $state >> 16 & 0x7F;
	$stream .= chr $byte if $byte != $last;
	$last = $byte;
}
open my $file, '>:raw', "$folder/stream" or die "$folder/stream: $!\n";
print $file $stream;
close $file;

# The output, and the counts that the proxy reports.
sub through {
	my ($direction, $specification, $seed) = @_;
	my @words = ($proxy, '-', "$direction=$specification", "seed=$seed", 'pause=1', "counts=$folder/counts", '--');
	my $command = $direction eq 'to-host' ? "@words cat $folder/stream </dev/null >$folder/output"
		: "@words sh -c 'cat >$folder/output' <$folder/stream";
	unlink "$folder/counts", "$folder/output";
	system($command) == 0 or die "$command failed\n";
	my %counts = map { my ($of, $what, $count) = split; ("$of $what" => $count) } split /\n/, slurp("$folder/counts");
	return (slurp("$folder/output"), \%counts);
}

# Whether `part` is `whole` with some bytes removed.
sub is_within {
	my ($part, $whole) = @_;
	my $position = 0;
	for my $byte (split //, $part) {
		$position = index($whole, $byte, $position) + 1;
		return 0 if $position == 0;
	}
	return 1;
}

# The number of faults of a kind in the output; undef if it has any other difference.
my %count_of = (
	drop => sub { my ($output) = @_; return is_within($output, $stream) ? $length - length $output : undef },
	insert => sub { my ($output) = @_; return is_within($stream, $output) ? length($output) - $length : undef },
	duplicate => sub {
		my ($output) = @_;
		(my $single = $output) =~ s/(.)\1/$1/gs;
		return $single eq $stream ? length($output) - $length : undef;
	},
	flip => sub {
		my ($output) = @_;
		return undef if length $output != $length;
		my @changed = ($output ^ $stream) =~ /[^\0]/g;
		return (grep { my $bits = ord; $bits & $bits - 1 } @changed) ? undef : scalar @changed;
	},
	text => sub {
		my ($output) = @_;
		my $lines = $output =~ s/\[\d{8}\] sensor ok\r\n//g;
		return $output eq $stream ? $lines : undef;
	},
);

for my $direction ('to-host', 'to-target') {
	my $other = $direction eq 'to-host' ? 'to-target' : 'to-host';
	for my $kind (sort keys %count_of) {
		for my $one_in (1000, 100) {
			my ($output, $counts) = through($direction, "$kind:$one_in", 1);
			my $count = $count_of{$kind}->($output) // 'other faults too';
			my ($expected, $said) = ($length / $one_in, $counts->{"$direction $kind"});
			my $others = grep { $_ ne "$direction $kind" && !/bytes$/ && $counts->{$_} } keys %$counts;
			verdict($count =~ /^\d+$/ && abs($count - $expected) < 5 * sqrt $expected && $count == $said &&
				!$others && $counts->{"$direction bytes"} == $length && $counts->{"$other bytes"} == 0,
				"$direction, $kind in one of $one_in bytes: $count of $length, and $said reported");
		}
	}
	my ($clean) = through($direction, 'drop:1000000000', 1);
	verdict($clean eq $stream, "$direction, a line without faults changes nothing");
}

my ($first) = through('to-host', 'drop:500,duplicate:400,flip:300,insert:200', 7);
my ($again) = through('to-host', 'drop:500,duplicate:400,flip:300,insert:200', 7);
my ($other) = through('to-host', 'drop:500,duplicate:400,flip:300,insert:200', 8);
verdict($first eq $again && $first ne $other && $first ne $stream, 'faults repeat for a seed, and differ for another');

my $begin = time;
my ($stalled, $counts) = through('to-host', 'stall:10000', 1);
my ($stalls, $seconds) = ($counts->{'to-host stall'}, time - $begin);
verdict($stalled eq $stream && $stalls > 50 && $seconds >= $stalls * 0.001,
	sprintf '%d stalls of 1 ms lose nothing and take %.3f s', $stalls, $seconds);

# --- Ends whose users come and go. The target echoes every byte.

sub connect_to {
	my ($kind, $where) = @_;
	my $handle;
	for (1 .. 5000) {
		$handle = $kind eq 'tcp' ? IO::Socket::INET->new("127.0.0.1:$where") : undef;
		sysopen $handle, $where, 2 or undef $handle if $kind eq 'pty';
		return $handle if $handle;
		sleep 0.002;
	}
	die "$kind $where cannot be opened\n";
}

# The bytes that come back, until there are enough or the end is unplugged.
sub exchange {
	my ($handle, $bytes, $enough) = @_;
	my $got = '';
	syswrite $handle, $bytes;
	while (length $got < $enough) {
		sysread $handle, $got, $enough - length $got, length $got or last;
	}
	return $got;
}

for my $kind ('tcp', 'pty') {
	my $end = $kind eq 'pty' ? "pty:$folder/terminal" : $kind;
	my $pid = open my $output, '-|', $proxy, $end, 'cut=500', 'cuts=2', 'pause=50', '--', 'cat' or die "proxy: $!\n";
	my ($said, $where) = split ' ', scalar <$output>;
	$where = "$folder/terminal" if $kind eq 'pty';
	my (@sizes, $strange);
	my $before = '';
	for my $begin (0, 10_000, 20_000) {
		my $handle = connect_to($kind, $where);
		my $sent = substr $stream, $begin, 600;
		my $got = exchange($handle, $sent, 600);
		close $handle;
		# Bytes under way when the end was unplugged may reach the next user, before its own.
		my $position = index $before . $sent, $got;
		$strange ||= $position < 0 || $position > length $before;
		push @sizes, length $got;
		$before = $sent;
	}
	# A terminal takes the bytes it holds with it.
	my $is_cut = $kind eq 'pty' ? $sizes[0] <= 500 && $sizes[1] <= 500 : "@sizes[0, 1]" eq '500 500';
	verdict($said eq $kind && $is_cut && $sizes[2] == 600 && !$strange,
		"$kind: unplugged twice after 500 bytes, then plugged in: @sizes bytes came back");
	kill TERM => $pid;
	close $output;
}

exit $failures;
