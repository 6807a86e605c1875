# SPDX-License-Identifier: MIT
# shares.pl JSON PERCENT START SIZE ASLEEP: whether a sampled profile has the shares of the model's program counters: ASLEEP
# percent are asleep, all others are in a range of code, each halfword equally often. PERCENT is the error of the largest
# share as the tool states it, or empty. Prints deviations.
#
# A share may deviate by five standard errors, one sample, and rounding. Independent samples exceed that once in 1.7 million
# shares; there are some 30 here, so a correct tool fails less than once in 50,000 runs.
use strict;
use warnings;
use JSON::PP;

use constant {ERRORS => 5, ROUNDING => 0.005};

my ($json, $percent, $start, $size, $asleep) = map { /^0x/ ? hex : $_ } @ARGV;
open my $file, '<', $json or die "$json: $!\n";
my $profile = decode_json(join '', <$file>);
my $total = $profile->{total_samples};
my $largest = 0;
my (@wrong, $in_functions);

sub check_share {
	my ($name, $samples, $share) = @_;
	my $error = sqrt($share * (1 - $share) / $total);
	push @wrong, sprintf '%s has %d of %d samples, a share of %.4f; expected %.4f', $name, $samples, $total, $samples / $total,
		$share
		if abs($samples / $total - $share) > ERRORS * $error + 1 / $total;
}

# Bytes of a function in the range.
sub overlap {
	my ($function) = @_;
	my $low = $function->{address} > $start ? $function->{address} : $start;
	my $end = $function->{address} + $function->{size};
	my $high = $end < $start + $size ? $end : $start + $size;
	return $high > $low ? $high - $low : 0;
}

for my $function (@{$profile->{functions}}) {
	$largest = $function->{self_samples} if $function->{self_samples} > $largest;
	if ($function->{name} eq '<asleep or unavailable>') {
		check_share($function->{name}, $function->{self_samples}, $asleep / 100);
	} elsif ($function->{name} =~ /^<unknown (0x\w+)>/) {
		push @wrong, "$function->{name} is outside the range" if hex $1 < $start || hex $1 >= $start + $size;
	} else {
		check_share($function->{name}, $function->{self_samples}, (1 - $asleep / 100) * overlap($function) / $size);
		$in_functions += overlap($function);
	}
}
push @wrong, 'no sample is asleep' if $asleep > 0 && !grep { $_->{name} eq '<asleep or unavailable>' } @{$profile->{functions}};
push @wrong, "functions are $in_functions of $size bytes" if $in_functions < 0.9 * $size;
# As in a report, but a filed count may differ by one sample.
push @wrong, sprintf 'the error of %d of %d samples is not %s %%', $largest, $total, $percent
	if $percent ne '' && abs(100 * sqrt($largest) / $total - $percent) > 100 * (sqrt($largest) - sqrt($largest - 1)) / $total + ROUNDING;
print map { "$_\n" } @wrong;
exit(@wrong > 0);
