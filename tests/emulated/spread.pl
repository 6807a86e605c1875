# SPDX-License-Identifier: MIT
# spread.pl JSON MICROSECONDS: checks that a profile of the demo has samples on many instructions and one work interrupt per
# MICROSECONDS. Prints a summary, or the first fault.
use strict;
use warnings;
use JSON::PP;

open my $file, '<', $ARGV[0] or die "$ARGV[0]: $!\n";
my $profile = decode_json(join '', <$file>);
my @functions = @{$profile->{functions}};
my %named = map { $_->{name} => $_ } @functions;

my @sampled = grep { $_->{self_samples} > 0 } @functions;
my ($most) = sort { $b->{self} <=> $a->{self} } grep { $_->{kind} eq 'function' } @functions;
my $share = 100 * $most->{self} / $profile->{total};
my $interrupts = $named{work_interrupt}{calls};
my $expected = $profile->{total} / ($ARGV[1] * 1e-6);
my $in_handler = $named{ring_put}{self_samples} + $named{convert_channel}{self_samples};

my @wrong;
push @wrong, scalar(@sampled) . ' functions have samples' if @sampled < 25;
push @wrong, "$most->{name} has $share % of the time" if $share > 35;
push @wrong, "$interrupts interrupts, not $expected" if abs($interrupts - $expected) > 2 + 0.01 * $expected;
push @wrong, 'no sample in the second interrupt' if $in_handler == 0;
if (@wrong) {
	print join('; ', @wrong), "\n";
	exit 1;
}
printf "%d samples in %d functions, at most %.0f %% in one, %d interrupts\n", $profile->{total_samples},
	scalar @sampled, $share, $interrupts;
