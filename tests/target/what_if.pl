# SPDX-License-Identifier: MIT
# what_if.pl PREDICTED MEASURED: the prediction in a profile, both as JSON, agrees with the profile of the changed firmware:
# the busy time, and the total time of each function. Prints what was compared, or the first disagreement.
use strict;
use warnings;
use JSON::PP;
use List::Util qw(sum0);

# A prediction may be off by this many standard errors.
use constant SIGMAS => 4;
# Larger than the few instructions of a call that are not in the loop, less than any change.
use constant ROUNDING => 0.001;

sub read_profile {
	open my $file, '<', $_[0] or die "$_[0]: $!\n";
	return decode_json(join '', <$file>);
}

my ($predicted, $measured) = map { read_profile($_) } @ARGV;
my $what_if = $predicted->{what_if};
my $busy = sum0 map { $_->{self} } grep { $_->{kind} ne 'bareprof' } @{$measured->{functions}};
my $change = $busy / $what_if->{busy} - 1;
my $error = sqrt $what_if->{change_variance};
my $seen = sprintf 'busy time %+.3f %%, predicted %+.3f %% +/- %.3f %%', 100 * $change, 100 * $what_if->{change}, 100 * $error;
abs($change) > 0.1 && $error < 0.01 or print("$seen: nothing to compare\n"), exit 1;
abs($change - $what_if->{change}) < SIGMAS * $error + ROUNDING * abs($change) or print("$seen\n"), exit 1;

# Both profiles have errors here. That of a predicted total grows at most as its largest factor.
my %total = map { $_->{name} => [$_->{self} + $_->{children}, $_->{total_variance}] } @{$measured->{functions}};
my %scale = map { $_->{id} => $_->{factor} } @{$what_if->{functions}};
my $factor = (sort { $b <=> $a } 1, values %scale)[0];
my $compared = 0;
for my $row (@{$what_if->{functions}}) {
	my $function = $predicted->{functions}[$row->{id}];
	my ($total, $variance) = @{$total{$function->{name}}};
	my $limit = SIGMAS * sqrt($variance + $factor ** 2 * $function->{total_variance}) + ROUNDING * $total;
	abs($row->{then} - $total) < $limit or printf("%s: %.4f predicted, %.4f measured, limit %.4f\n", $function->{name},
		$row->{then}, $total, $limit), exit 1;
	$compared++;
}
$compared >= 4 or print("only $compared functions change\n"), exit 1;
print "$seen, $compared total times\n";
