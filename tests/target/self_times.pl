# SPDX-License-Identifier: MIT
# self_times.pl BOARD RUN...: holds the samples of each function against the instructions that it executed, for each run
# and for all together. RUN.json is the profile, RUN.counts the plugin's file, RUN.symbols what readelf -s printed.
# Prints a line `ok` or `not ok` for each run and for all.
use strict;
use warnings;
use JSON::PP;

# With fewer samples to expect, a binomial is too far from a normal distribution for three sigma to mean what they do:
# such functions are taken together.
use constant FEWEST_SAMPLES => 10;
use constant SIGMAS => 3;

sub lines_of {
	my ($path) = @_;
	open my $file, '<', $path or die "$path: $!\n";
	return <$file>;
}

# Functions and labels of an ELF by address, as [address, name], the start of each the end of the one before.
sub symbols_of {
	my %names;
	for (lines_of($_[0])) {
		my (undef, $value, undef, $type, $bind, undef, $section, $name) = split;
		next unless defined $name && $section =~ /^\d+$/ && $type =~ /^(FUNC|NOTYPE)$/ && $name !~ /^\$/;
		my $address = hex $value;
		$address &= ~1 if $type eq 'FUNC';
		$names{$address} = $name if !exists $names{$address} || $type eq 'FUNC';
	}
	return map { [$_, $names{$_}] } sort { $a <=> $b } keys %names;
}

# Instructions executed by function name.
sub instructions_of {
	my ($run) = @_;
	my @symbols = symbols_of("$run.symbols");
	my %instructions;
	my $at = 0;
	for my $line (sort { $a->[0] <=> $b->[0] } map { my ($a, $n) = split; [hex $a, $n] } lines_of("$run.counts")) {
		my ($address, $count) = @$line;
		$at++ while $at < $#symbols && $symbols[$at + 1][0] <= $address;
		$instructions{$symbols[$at][1]} += $count;
	}
	return %instructions;
}

# Rows that are compared. Left out is the way into the sampling interrupt, which has the highest priority and is never
# sampled, and on RISC-V the frame around the second interrupt, which runs with interrupts masked. What else there is of
# the recorder are the hooks, which are one row.
sub is_compared {
	return $_[0] !~ /^(acknowledge_sampling|read_mtime|write_mtimecmp|trap_vectors|external_interrupt)$/;
}

sub truth_of {
	my ($run, $functions) = @_;
	my %instructions = instructions_of($run);
	my %kind = map { $_->{name} => $_->{kind} } @$functions;
	my %truth;
	for my $name (grep { is_compared($_) } keys %instructions) {
		if (($kind{$name} // q()) ne q(bareprof)) {
			$truth{$name} += $instructions{$name};
		} elsif ($name =~ /mcount|bareprof_arc/) {
			$truth{"<bareprof>"} += $instructions{$name};
		}
	}
	return %truth;
}

# Two distributions over the same rows: how many sigma are the samples off, for the row that is worst?
sub compare {
	my ($title, $samples, $truth) = @_;
	my ($total_samples, $total_truth) = (0, 0);
	$total_samples += $_ for values %$samples;
	$total_truth += $_ for values %$truth;

	my (%seen, %expected);
	for my $name (keys %{{%$samples, %$truth}}) {
		my $expectation = $total_samples * ($truth->{$name} // 0) / $total_truth;
		my $row = $expectation < FEWEST_SAMPLES ? 'all others' : $name;
		$expected{$row} += $expectation;
		$seen{$row} += $samples->{$name} // 0;
	}
	my (@off, $worst);
	$worst = 0;
	for my $row (sort keys %expected) {
		my $sigma = sqrt($expected{$row} * (1 - $expected{$row} / $total_samples)) || 1;
		my $sigmas = abs($seen{$row} - $expected{$row}) / $sigma;
		$worst = $sigmas if $sigmas > $worst;
		push @off, sprintf '%s has %d samples, expected %.1f +- %.1f', $row, $seen{$row}, $expected{$row}, $sigma
			if $sigmas > SIGMAS;
	}
	push @off, 'too few rows or samples to tell' if keys %expected < 10 || $total_samples < 1000;
	printf "%s self times agree with instructions executed, %s%s\n", @off ? 'not ok' : 'ok', $title,
		@off ? ': ' . join('; ', @off)
		: sprintf ' (%d samples, %d rows, worst %.1f sigma)', $total_samples, scalar keys %expected, $worst;
	return @off == 0;
}

my ($board, @runs) = @ARGV;
my (%all_samples, %all_truth, $failed);
for my $run (@runs) {
	my $profile = decode_json(join '', lines_of("$run.json"));
	my %samples = map { $_->{name} => $_->{self_samples} }
		grep { $_->{self_samples} && is_compared($_->{name}) } @{$profile->{functions}};
	my %truth = truth_of($run, $profile->{functions});
	my ($period) = $run =~ /PERIOD-(\d+)/;
	compare("$board, period $period", \%samples, \%truth) or $failed = 1;

	# Runs are weighted by their samples, as samples are.
	my ($total_samples, $total_truth) = (0, 0);
	$total_samples += $_ for values %samples;
	$total_truth += $_ for values %truth;
	$all_samples{$_} += $samples{$_} for keys %samples;
	$all_truth{$_} += $truth{$_} * $total_samples / $total_truth for keys %truth;
}
compare("$board, all " . @runs . ' periods', \%all_samples, \%all_truth) or $failed = 1;
exit($failed ? 1 : 0);
