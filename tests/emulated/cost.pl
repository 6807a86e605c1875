# SPDX-License-Identifier: MIT
# cost.pl RUN NANOSECONDS: compares the time of all functions outside the recorder, as the profile states it, with the
# instructions that were executed there, and the recorder's share with theirs. RUN.bprof is the capture, RUN.json the
# profile, RUN.counts the plugin's file, RUN.symbols the output of readelf -s; each instruction took NANOSECONDS.
# Prints the result, and fails beyond half a percent. The mean distance between ticks must be the period, within a tenth of
# a percent and the standard error of dither. If copies of stacks outlast the period, few ticks of great cost decide, so
# the standard error of the mean cost is allowed, too; ticks merge, so the recorder's share and the distance are not judged.
use strict;
use warnings;
use JSON::PP;

use constant {LARGEST_ERROR => 0.005, LARGEST_DISTANCE_ERROR => 0.001, TIMED_TICKS => 64, TOTAL_OVERRUNS => 13};

my ($run, $nanoseconds) = @ARGV;

sub bytes_of {
	my ($path) = @_;
	open my $file, '<:raw', $path or die "$path: $!\n";
	local $/;
	return <$file>;
}

# docs/FORMAT.md, sections 2 and 3; all boards are little-endian.
my $block = bytes_of("$run.bprof");
my ($minor, $address_size, $entries) = unpack 'x11 C3', $block;
my ($clock, $period, $ticks) = unpack 'x28 V V x24 V V', $block;
my $shortest = unpack 'x' . (0x90 + 16 * $entries + 8 * $address_size + 12) . ' V', $block;
my $random = unpack 'x140 V', $block;
my ($totals) = grep { $_->[0] == 10 } map { [unpack 'x' . (0x90 + 16 * $_) . ' C x3 V', $block] } 0 .. $entries - 1;
my $overruns = $totals ? unpack 'x' . ($totals->[1] + 4 * TOTAL_OVERRUNS) . ' V', $block : 0;

# Code outside the recorder's section that handles a tick is not the firmware's work.
my $OF_TICK = qr/^(acknowledge_sampling|SysTick_Handler|advance_sampling|deadline_next|trap|timer_trap\w*|bareprof_\w+)$/;
my (%bounds, @of_tick);
for (split /\n/, bytes_of("$run.symbols")) {
	my (undef, $value, $size, undef, undef, undef, undef, $name) = split;
	next unless defined $name && $value =~ /^[0-9a-f]+$/;
	$bounds{$name} = hex $value;
	push @of_tick, [hex($value) & ~1, (hex($value) & ~1) + $size, $name] if $name =~ $OF_TICK && $size =~ /^[1-9]/;
}
my ($executed, $in_all, $copies, $copying) = (0, 0, 0, 0);
my ($write) = grep { $_->[2] eq 'bareprof_slice_write' } @of_tick;
for (split /\n/, bytes_of("$run.counts")) {
	my ($address, $count) = split;
	$address = hex $address;
	$in_all += $count;
	if ($write && $address >= $write->[0] && $address < $write->[1]) {
		$copies = $count if $address == $write->[0];
		$copying += $count;
	}
	next if $address >= $bounds{bareprof_code_start} && $address < $bounds{bareprof_code_end};
	next if grep { $address >= $_->[0] && $address < $_->[1] } @of_tick;
	$executed += $count;
}

my ($profile, $samples, $outside) = (decode_json(bytes_of("$run.json")), 0, 0);
for (grep { $_->{kind} ne 'bareprof' && $_->{name} !~ $OF_TICK } @{$profile->{functions}}) {
	$samples += $_->{self_samples};
	$outside += $_->{self};
}
my $cost = $profile->{handler_time} * $clock / $ticks;
my $share = 1 - $outside / $profile->{total};
my $second = 1e9 / $nanoseconds;
my $truth = $executed / $second;
my $error = $outside / $truth - 1;
my $true_share = 1 - $executed / $in_all;
# Counting statistics: the samples outside are a binomial of all. Rounded parts of shared ones may add up to a little more.
my $sigma = $samples < $ticks ? sqrt((1 - $samples / $ticks) / $samples) : 0;
# So is the number of copies among the ticks that are timed.
my $cost_sigma = $copies ? sqrt(TIMED_TICKS / $copies) * $copying / $executed : 0;
# Distances are spread evenly over half a period.
my $distance = $in_all / $second * $clock / $ticks / $period - 1;
my $distance_sigma = 0.5 / sqrt(12) / sqrt($ticks);

printf "%d ticks, a tick costs %.1f of %d, outside the recorder %.4f s of %.4f s, %+.2f %% +- %.2f, without the cost %+.2f %%",
	$ticks, $cost, $period, $outside, $truth, 100 * $error, 100 * $sigma, 100 * ($samples * $period / $clock / $truth - 1);
printf ", recorder %.2f %% of %.2f %%", 100 * $share, 100 * $true_share;
printf ", the mean distance is off by %+.3f %% +- %.3f", 100 * $distance, 100 * $distance_sigma;
printf ", %d timed ticks outlast it, which adds an error of %.2f %%", $overruns, 100 * $cost_sigma if $overruns;
print "\n";
exit 1 if $shortest == 0 || $random == 0 || $minor != 3;
exit(abs($error) > LARGEST_ERROR + 3 * $cost_sigma) if $overruns;
exit(abs($error) > LARGEST_ERROR || abs($share - $true_share) > LARGEST_ERROR ||
	abs($distance) > LARGEST_DISTANCE_ERROR + 3 * $distance_sigma);
