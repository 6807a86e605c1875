# SPDX-License-Identifier: MIT
# bench.pl FOLDER: pulls blocks from the native target and counts what was on the line, by what the proxy recorded. Prints
# tables and a line `ok` or `not ok` per budget; fails if one does not hold. FOLDER has demo.bprof, a real firmware's
# capture; the other blocks are made here, laid out as those of 32-bit firmware: 256 bytes of header, 512 arcs, 1,024
# granules and 446 coarse bins, 16,384 bytes in all.
use strict;
use warnings;
use Frames;
use Time::HiRes qw(time);

my ($folder) = @ARGV;
my @verdicts;

sub judge {
	my ($holds, $what) = @_;
	push @verdicts, ($holds ? 'ok' : 'not ok') . " $what\n";
}

sub slurp {
	my ($path) = @_;
	open my $file, '<:raw', $path or die "$path: $!\n";
	local $/;
	return scalar <$file> // '';
}

# --- Blocks

my $random = 1;

sub random_below {
	my ($limit) = @_;
	$random = ($random * 1103515245 + 12345) & 0x7FFFFFFF;
	return ($random >> 8) % $limit;
}

# As counts are: as many of 1 to 2 as of 1,000 to 2,000.
sub random_count {
	my $magnitude = 1 << random_below(20);
	return $magnitude + random_below($magnitude);
}

# An address in 256 KiB of code.
sub random_code {
	return 0x08000000 + 2 * random_below(0x20000);
}

# A table of `count` slots with the given share of them used, evenly spread.
sub slots {
	my ($count, $share, $used, $free) = @_;
	return map { int(($_ + 1) * $share) > int($_ * $share) ? $used->($_) : $free } 0 .. $count - 1;
}

sub make_block {
	my ($name, $share) = @_;
	my @lines = ('board bench', 'clock 16000000', 'period 16007', 'build-id ' . '5a' x 20, 'shift 9',
		'range 0x8000000 0x8037c00', 'granules 1024 8',
		slots(512, $share, sub { sprintf 'arc %u %u %u', random_code() | 1, random_code() | 1, random_count() },
			'arc 0 0 0'),
		slots(1024, $share, sub { sprintf 'granule %u %u', random_code(), random_count() }, 'granule 0 0'),
		slots(446, $share, sub { sprintf 'sample %u %u', 0x08000000 + 512 * $_[0], random_count() }, ''));
	open my $pipe, '|-', "build/tests/make_capture >$folder/$name.bprof" or die "make_capture: $!\n";
	print $pipe map { "$_\n" } @lines;
	close $pipe or die "make_capture failed\n";
	return "block:$folder/$name.bprof";
}

# --- Pulls

# Figures of a pull over a line with these faults: bytes of the block, of the memory that was fetched, and on the line; seconds;
# the output of bareprof.
sub pull_over {
	my ($line, $content, @options) = @_;
	my $pid = open my $proxy, '-|', 'build/link/proxy', 'tcp', "record=$folder/record", @$line, '--', 'build/link/target',
		'-', $content, "dump=$folder/dump", @options or die "proxy: $!\n";
	my ($port) = scalar(<$proxy>) =~ /^tcp (\d+)/ or die "the proxy offers nothing\n";
	my $begin = time;
	my $summary = `build/bareprof pull tcp:127.0.0.1:$port -o $folder/pulled.bprof 2>&1`;
	die "$content: $summary" if $?;
	my $seconds = time - $begin;
	kill TERM => $pid;
	close $proxy;
	my $block = slurp("$folder/dump");
	die "$content: the capture is not the block\n" if substr(slurp("$folder/pulled.bprof"), 0, length $block) ne $block;
	my $record = slurp("$folder/record");
	my $fetched = 0;
	for my $frame (grep { $_->[0] >> 4 == 9 } Frames::frames_of($record)) {
		my (undef, $bytes) = Frames::data_of($frame->[1]);
		$fetched += length $bytes;
	}
	return {block => length $block, fetched => $fetched, line => length $record, seconds => $seconds, said => $summary};
}

# Over a line without faults. Repeated requests are not counted as part of the line: they are due to delays of this
# computer.
sub pull {
	my $pull;
	for (1 .. 5) {
		$pull = pull_over([], @_);
		last if $pull->{said} =~ /\b0 of \d+ requests? again/;
	}
	return $pull;
}

sub round_trips {
	my ($pull) = @_;
	my ($count) = $pull->{said} =~ /(\d+) round trips?/ or die "no round trips in: $pull->{said}";
	return $count;
}

my $full = make_block('full', 1);
my $sparse = make_block('sparse', 0.05);
my @blocks = (
	# content, name, whether its share is a budget
	["block:$folder/demo.bprof", 'the demo on mps2-an385'],
	[$full, 'every slot in use'],
	['random', 'random bytes'],
	[$sparse, 'one slot in twenty in use'],
);

printf "\n%-28s %6s %7s %9s %9s %9s %8s %6s\n", 'what is pulled', 'frames', 'block', 'fetched', 'on line', 'share', 'of block',
	'trips';
for my $row (@blocks) {
	my ($content, $name) = @$row;
	for my $frame (128, 256) {
		my $pull = pull($content, "frame=$frame");
		my $share = 100 * $pull->{fetched} / $pull->{line};
		my $least = $frame == 128 ? 90 : 95;
		printf "%-28s %6d %7d %9d %9d %8.1f%% %7.1f%% %6d\n", $name, $frame, @$pull{qw(block fetched line)}, $share,
			100 * $pull->{line} / $pull->{block}, round_trips($pull);
		judge($share >= $least, sprintf 'payload share of frames of %d, %s: %.1f %%, at least %d', $frame, $name, $share,
			$least);
		judge($pull->{line} < 0.15 * $pull->{block}, sprintf '%s, frames of %d: %.1f %% of its raw bytes, less than 15',
			$name, $frame, 100 * $pull->{line} / $pull->{block}) if $content eq $sparse;
	}
}

# --- Time, on a line that the target keeps to its bit rate: the best of 5, because other load of this computer must not
# count. The limit: a tenth of the bits, in bytes.

printf "\n%-28s %8s %9s %9s %9s %9s %9s\n", 'what is pulled, frames of 128', 'bit/s', 's', 'raw s', 'of raw', 'byte/s',
	'of limit';
for my $row ([$full, 'every slot in use', 115_200], [$full, 'every slot in use', 3_000_000],
	[$sparse, 'one slot in twenty in use', 115_200]) {
	my ($content, $name, $rate) = @$row;
	my ($pull) = sort { $a->{seconds} <=> $b->{seconds} } map { pull($content, "rate=$rate") } 1 .. 5;
	my $raw = $pull->{block} * 10 / $rate;
	my $speed = $pull->{line} / $pull->{seconds};
	printf "%-28s %8d %9.3f %9.3f %8.1f%% %9.0f %8.1f%%\n", $name, $rate, $pull->{seconds}, $raw,
		100 * $pull->{seconds} / $raw, $speed, 100 * $speed * 10 / $rate;
	judge($pull->{seconds} < 0.15 * $raw, sprintf '%s at %d bit/s: %.1f %% of its raw time, less than 15', $name, $rate,
		100 * $pull->{seconds} / $raw) if $content eq $sparse;
}

# --- What faults cost: bits that are flipped on the way to the host, at 115,200 bit/s.

printf "\n%-28s %8s %9s %9s %9s %14s\n", 'every slot in use, frames of', 'flips', 'on line', 's', 'of raw', 'asked again';
for my $frame (128, 256) {
	for my $one_in (0, 10_000, 1_000, 100) {
		my @target = ($full, "frame=$frame", 'rate=115200');
		my $pull = $one_in ? pull_over(["to-host=flip:$one_in", 'seed=1'], @target) : pull(@target);
		my ($repeats, $requests) = $pull->{said} =~ /(\d+) of (\d+) requests? again/ or die "no requests in: $pull->{said}";
		printf "%-28d %8s %9d %9.3f %8.1f%% %7d of %3d\n", $frame, $one_in ? "1:$one_in" : 'none', $pull->{line},
			$pull->{seconds}, 100 * $pull->{seconds} * 115_200 / 10 / $pull->{block}, $repeats, $requests;
	}
}

print "\n", @verdicts;
exit scalar grep { /^not/ } @verdicts;
