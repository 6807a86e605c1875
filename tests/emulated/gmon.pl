# SPDX-License-Identifier: MIT
# gmon.pl JSON GPROF-OUTPUT: compares the output of `gprof -b` for an exported gmon.out with the profile itself: self
# seconds to the digits that gprof prints (and where functions share bins or granules, which gprof divides at other
# bounds, within the uncertainty that the profile states), calls and arcs exactly. gprof drops arcs whose caller has no
# symbol, so they are not expected. Prints the number of values compared.
use strict;
use warnings;
use JSON::PP;

sub slurp {
	open my $file, '<', $_[0] or die "$_[0]: $!\n";
	local $/;
	return scalar <$file>;
}

my $profile = decode_json(slurp($ARGV[0]));
my @lines = split /\n/, slurp($ARGV[1]);
# In gmon.out a sample is a whole period: it cannot exclude the sampling interrupt's part.
my $period = $profile->{total} / $profile->{total_samples};
my $scale = $profile->{total} / ($profile->{total} - ($profile->{handler_time} // 0));
my %function = map { $_->{id} => $_ } @{$profile->{functions}};
my (%self, %doubt, %calls, %arcs);
for my $one (@{$profile->{functions}}) {
	next if $one->{kind} ne 'function' || !$one->{self_samples};
	my $doubt = $one->{self_variance} * $scale ** 2 - $one->{self_samples} * $period ** 2;
	$self{$one->{name}} = $one->{self_samples} * $period;
	$doubt{$one->{name}} = $doubt > 1e-6 * $one->{self_variance} ? sqrt $doubt : 0;
}
for my $arc (@{$profile->{arcs}}) {
	my ($caller, $callee) = map { $function{$arc->{$_}} } qw(caller callee);
	next if $caller->{kind} ne 'function' || $callee->{kind} ne 'function';
	$arcs{"$caller->{name} -> $callee->{name}"} = $arc->{count};
	$calls{$callee->{name}} += $arc->{count} if $caller != $callee;
}

my (%gnu_self, %gnu_calls, %gnu_arcs, $part, $caller);
for (@lines) {
	$part = $1 if /^(Flat profile|index % time)/;
	next if !defined $part;
	if ($part eq 'Flat profile' && /^\s*[\d.]+\s+[\d.]+\s+([\d.]+)\s+(?:(\d+)\s+[\d.]+\s+[\d.]+\s+)?(\S+)$/) {
		$gnu_self{$3} = $1;
		$gnu_calls{$3} = $2 if defined $2;
	} elsif ($part ne 'Flat profile' && /^\[\d+\]\s.*?(\S+)(?: <cycle \d+>)? \[\d+\]$/) {
		$caller = /as a whole/ ? undef : $1;
	} elsif (/^-----/) {
		undef $caller;
	} elsif (defined $caller && m{\s(\d+)(?:/\d+)?\s+(\S+)(?: <cycle \d+>)? \[\d+\]$}) {
		$gnu_arcs{"$caller -> $2"} = $1;
	}
}
die "gprof printed no profile\n" if !%gnu_self || !%gnu_arcs;

sub compare {
	my ($what, $ours, $gnu, $tolerance, $doubt) = @_;
	my %all = (%$ours, %$gnu);
	for my $name (sort keys %all) {
		my ($expected, $found) = map { $_->{$name} // 0 } $ours, $gnu;
		die "$name, $what: $expected in the profile, $found in gprof\n"
			if abs($expected - $found) > $tolerance + ($doubt->{$name} // 0);
	}
	return scalar(keys %$ours) . " $what";
}

# Two digits after the point, and a rate that gmon.out rounds to whole Hz.
my $tolerance = 0.00501 + 1e-4 * $profile->{total};
print join(', ', compare('self times', \%self, \%gnu_self, $tolerance, \%doubt), compare('calls', \%calls, \%gnu_calls, 0),
	compare('arcs', \%arcs, \%gnu_arcs, 0)), "\n";
