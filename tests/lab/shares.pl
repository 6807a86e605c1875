# SPDX-License-Identifier: MIT
# shares.pl JSON PERCENT START SIZE ASLEEP: whether a sampled profile has the shares that the model of a target gives its
# program counters: ASLEEP of a hundred are asleep, all others lie in a stretch of code, each halfword as often. PERCENT
# is the error that the tool states, which is that of a share of one half. Prints what is wrong.
#
# A share is held to five errors and one sample, to which rounding may come. Independent samples would exceed that once in
# 1.7 million shares; there are some 30 here, so a right tool fails less than once in 50,000 runs.
use strict;
use warnings;
use JSON::PP;

use constant {ERRORS => 5, ROUNDING => 0.05};

my ($json, $percent, $start, $size, $asleep) = map { /^0x/ ? hex : $_ } @ARGV;
open my $file, '<', $json or die "$json: $!\n";
my $profile = decode_json(join '', <$file>);
my $total = $profile->{total_samples};
my (@wrong, $in_functions);

sub hold {
	my ($name, $samples, $share) = @_;
	my $error = 2 * ($percent + ROUNDING) / 100 * sqrt($share * (1 - $share));
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
push @wrong, sprintf 'the error of %d samples is not %s %%', $total, $percent
	if abs(50 / sqrt($total) - $percent) > ROUNDING + 1e-6;
print map { "$_\n" } @wrong;
exit(@wrong > 0);
