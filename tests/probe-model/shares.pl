# SPDX-License-Identifier: MIT
# shares.pl JSON PERCENT START SIZE ASLEEP: whether a sampled profile has the shares that the model of a target gives its
# program counters: ASLEEP of a hundred are asleep, all others lie in a stretch of code, each halfword as often. PERCENT
# is the error of the largest share that the tool states, if it does. Prints what is wrong.
#
# A share is held to five errors and one sample, to which rounding may come. Independent samples would exceed that once in
# 1.7 million shares; there are some 30 here, so a right tool fails less than once in 50,000 runs.
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

sub hold {
	my ($name, $samples, $share) = @_;
	my $error = sqrt($share * (1 - $share) / $total);
	push @wrong, sprintf '%s has %d of %d samples, a share of %.4f; %.4f is right', $name, $samples, $total, $samples / $total,
		$share
		if abs($samples / $total - $share) > ERRORS * $error + 1 / $total;
}

# What of a function lies in the stretch.
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
		hold($function->{name}, $function->{self_samples}, $asleep / 100);
	} elsif ($function->{name} =~ /^<unknown (0x\w+)>/) {
		push @wrong, "$function->{name} is not in the stretch" if hex $1 < $start || hex $1 >= $start + $size;
	} else {
		hold($function->{name}, $function->{self_samples}, (1 - $asleep / 100) * overlap($function) / $size);
		$in_functions += overlap($function);
	}
}
push @wrong, 'nobody is asleep' if $asleep > 0 && !grep { $_->{name} eq '<asleep or unavailable>' } @{$profile->{functions}};
push @wrong, "functions are $in_functions of $size bytes" if $in_functions < 0.9 * $size;
# As in a report, but that what is filed may be a sample more or less than its share.
push @wrong, sprintf 'the error of %d of %d samples is not %s %%', $largest, $total, $percent
	if $percent ne '' && abs(100 * sqrt($largest) / $total - $percent) > 100 * (sqrt($largest) - sqrt($largest - 1)) / $total + ROUNDING;
print map { "$_\n" } @wrong;
exit(@wrong > 0);
