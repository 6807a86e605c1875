# SPDX-License-Identifier: MIT
# self_times.pl [OPTION]... BOARD RUN...: compares the samples of each function, and its total time, with the
# instructions that were executed, for each run and for all together. RUN.json is the profile, RUN.counts the plugin's
# file, RUN.symbols the output of readelf -s. Prints a line `ok` or `not ok` for each run and, for several runs, one for
# all together. The rows of all runs must be within three sigma as one family, and so must the rows of the
# sum of the runs.
use strict;
use warnings;
use Getopt::Long;
use JSON::PP;
use List::Util qw(sum0);
use POSIX qw(erfc);
use lib 'tests/emulated';
use Executed qw(lines_of instrumented_of sample_time_of doubt_of judge_functions);
use Shares;

# With fewer samples to expect, a binomial is too far from a normal distribution for the limit of three sigma: such
# functions are taken together.
use constant FEWEST_SAMPLES => 10;
use constant SIGMAS => 3;

# --each: every function is judged alone, even with few samples, by the self times of each run (Executed.pm). RUN.code
# is the output of objdump -d. --unsampled=REGEX: functions that execute and must have no sample. --secure=REGEX:
# functions of the Secure state, which a Non-secure sampling interrupt cannot distinguish.
my $nothing = '(?!)';
my %option = (unsampled => $nothing, secure => $nothing);
GetOptions(\%option, 'unsampled=s', 'secure=s', 'each') or exit 2;

# Functions and labels of an ELF by address, as [address, name], the start of each the end of the one before. A function
# with several names has the profile's.
sub symbols_of {
	my ($path, $functions) = @_;
	my %profiled = map { $_->{kind} eq 'function' ? ($_->{address} => $_->{name}) : () } @$functions;
	my %names;
	for (lines_of($path)) {
		my (undef, $value, undef, $type, $bind, undef, $section, $name) = split;
		next unless defined $name && $section =~ /^\d+$/ && $type =~ /^(FUNC|NOTYPE)$/ && $name !~ /^\$/;
		my $address = hex $value;
		$address &= ~1 if $type eq 'FUNC';
		$names{$address} = $name if !exists $names{$address} || $type eq 'FUNC';
	}
	return map { [$_, $profiled{$_} // $names{$_}] } sort { $a <=> $b } keys %names;
}

# Instructions executed by function name.
sub instructions_of {
	my ($run, $functions) = @_;
	my @symbols = symbols_of("$run.symbols", $functions);
	my %instructions;
	my $at = 0;
	for my $line (sort { $a->[0] <=> $b->[0] } map { my ($a, $n) = split; [hex $a, $n] } lines_of("$run.counts")) {
		my ($address, $count) = @$line;
		$at++ while $at < $#symbols && $symbols[$at + 1][0] <= $address;
		$instructions{$symbols[$at][1]} += $count;
	}
	return %instructions;
}

# Calls run these functions of the recorder, the sampling interrupt the others.
my $HOOK = qr/mcount|bareprof_arc|counter_increment|bareprof_context/;

# The rows that are compared. The entry of the sampling interrupt is left out: it has the highest priority and is never
# sampled; so is, on RISC-V, the frame around the second interrupt, which runs with interrupts masked. The rest of the
# recorder are the hooks, which are one row.
sub is_compared {
	return $_[0] !~ /^(acknowledge_sampling|advance_sampling|deadline_next|bareprof_timer_remaining|SysTick_Handler|wait_for_nearest|read_mtime|trap_vectors
		|external_interrupt|timer_trap|trap)$/x;
}

# The row that a function counts in. BAREPROF_PC_SECURE has no symbol; it is named for the 4 KB that it lies in.
sub row_of {
	return $_[0] =~ /$option{secure}|^<(secure|unknown 0xfefff000)>$/ ? '<secure>' : $_[0];
}

sub truth_of {
	my ($run, $functions) = @_;
	my %instructions = instructions_of($run, $functions);
	my %kind = map { $_->{name} => $_->{kind} } @$functions;
	my %truth;
	for my $name (grep { is_compared($_) && !/$option{unsampled}/ } keys %instructions) {
		if (($kind{$name} // q()) ne q(bareprof)) {
			$truth{row_of($name)} += $instructions{$name};
		} elsif ($name =~ $HOOK) {
			$truth{"<bareprof>"} += $instructions{$name};
		}
	}
	return %truth;
}

# Two distributions over the same rows: [row, observed, expected, sigma, deviation in sigma] for each.
sub compare {
	my ($samples, $truth, $doubts) = @_;
	my ($total_samples, $total_truth) = (sum0(values %$samples), sum0(values %$truth));

	my (%seen, %expected, %doubt);
	for my $name (keys %{{%$samples, %$truth}}) {
		my $expectation = $total_samples * ($truth->{$name} // 0) / $total_truth;
		my $row = $expectation < FEWEST_SAMPLES ? 'all others' : $name;
		$expected{$row} += $expectation;
		$seen{$row} += $samples->{$name} // 0;
		$doubt{$row} += $doubts->{$name} // 0;
	}
	die "too few rows or samples to compare\n" if keys %expected < 8 || $total_samples < 1000;
	return map {
		my $sigma = sqrt($expected{$_} * (1 - $expected{$_} / $total_samples) + $doubt{$_} ** 2) || 1;
		[$_, $seen{$_}, $expected{$_}, $sigma, abs($seen{$_} - $expected{$_}) / $sigma]
	} sort keys %expected;
}

# Compares total times likewise: the expected total is the sum of the expected samples of all functions, weighted by the
# share that belongs to the function. Rows without callees are left out, because their self times are checked already.
sub compare_totals {
	my ($profile, $samples, $truth, $doubts) = @_;
	my %name = map { $_->{id} => row_of($_->{name}) } @{$profile->{functions}};
	my ($total_samples, $total_truth) = (sum0(values %$samples), sum0(values %$truth));
	my $sample_time = sample_time_of($profile);
	my $shares = Shares::shares($profile);

	my @rows;
	for my $function (grep { $_->{children} > 0 } @{$profile->{functions}}) {
		my ($expected, $square, $doubt) = (0, 0, 0);
		my $shares_of = $shares->{$function->{id}};
		for my $callee (keys %$shares_of) {
			my $of_callee = $total_samples * ($truth->{$name{$callee}} // 0) / $total_truth;
			$expected += $shares_of->{$callee} * $of_callee;
			$square += $shares_of->{$callee} ** 2 * $of_callee;
			$doubt += $shares_of->{$callee} * ($doubts->{$name{$callee}} // 0);
		}
		next if $expected < FEWEST_SAMPLES;
		my $sigma = sqrt($square - $expected ** 2 / $total_samples + $doubt ** 2) || 1;
		my $seen = ($function->{self} + $function->{children}) / $sample_time;
		push @rows, [$function->{name}, $seen, $expected, $sigma, abs($seen - $expected) / $sigma];
	}
	return @rows;
}

# The deviation, in sigma, allowed for the worst of this many rows, so that the whole family passes as often as one row at
# SIGMAS (Bonferroni): among hundreds of correct rows, one is beyond three sigma by chance.
sub family_bound {
	my ($rows) = @_;
	my ($low, $high) = (SIGMAS, 10);
	my $chance = erfc(SIGMAS / sqrt 2) / $rows;
	for (1 .. 60) {
		my $middle = ($low + $high) / 2;
		if (erfc($middle / sqrt 2) > $chance) { $low = $middle } else { $high = $middle }
	}
	return $high;
}

sub judge {
	my ($what, $title, $bound, @rows) = @_;
	my @off = map { sprintf '%s has %d samples, expected %.1f +- %.1f', @$_[0 .. 3] } grep { $_->[4] > $bound } @rows;
	my ($worst) = sort { $b <=> $a } map { $_->[4] } @rows;
	my $beyond = grep { $_->[4] > SIGMAS } @rows;
	printf "%s %s times agree with instructions executed, %s%s\n", @off ? 'not ok' : 'ok', $what, $title,
		@off ? ': ' . join('; ', @off)
		: sprintf ' (%d rows, %d beyond 3 sigma, worst %.1f, bound %.1f)', scalar @rows, $beyond, $worst, $bound;
	return @off == 0;
}

# Judges several sets of rows as one family.
sub judge_all {
	my ($what, @sets) = @_;
	my $rows = 0;
	$rows += @$_ - 1 for @sets;
	my $bound = family_bound($rows);
	return scalar grep { !judge($what, $_->[0], $bound, @$_[1 .. $#$_]) } @sets;
}

# The only timer of these boards has a second deadline. Its handling is never sampled, and is not part of a tick's cost.
my $SHARED_TIMER = qr/^hifive1-/;

# All time outside of the recorder: true if it equals the share of the instructions that were executed there, within
# half a percent and three standard deviations. Where the timer is shared, the time of the interrupt must be between
# the recorder's part of the handler and the whole handler. Where the time is unknown, nothing is checked.
sub judge_sum {
	my ($title, $profile, %instructions) = @_;
	return 1 if !$profile->{handler_time};
	my %kind = map { $_->{name} => $_->{kind} } @{$profile->{functions}};
	my ($all, $outside, $handler, $ticks, $seen, $variance) = (0) x 6;
	for my $name (keys %instructions) {
		my $is_recorder = ($kind{$name} // q()) eq 'bareprof';
		$all += $instructions{$name};
		if (!$is_recorder && is_compared($name)) {
			$outside += $instructions{$name};
		} elsif ($name !~ $HOOK) {
			$handler += $instructions{$name};
			$ticks += $instructions{$name} if $name =~ /^bareprof_\w*tick/;
		}
	}
	if ($title =~ $SHARED_TIMER) {
		my ($least, $most) = map { $profile->{total} * $_ / $all } $ticks, $handler;
		my $is_right = $least < $profile->{handler_time} && $profile->{handler_time} < $most;
		printf "%s the time of the sampling interrupt is part of the handler's, %s: %.4f s, from %.4f s to %.4f s\n",
			$is_right ? 'ok' : 'not ok', $title, $profile->{handler_time}, $least, $most;
		return $is_right;
	}
	for (grep { $_->{kind} ne 'bareprof' } @{$profile->{functions}}) {
		$seen += $_->{self};
		$variance += $_->{self_samples} * sample_time_of($profile) ** 2;
	}
	my $expected = $profile->{total} * $outside / $all;
	my $sigma = sqrt($variance * (1 - $seen / $profile->{total}));
	my $is_right = abs($seen - $expected) <= 0.005 * $expected + 3 * $sigma;
	printf "%s time outside <bareprof> agrees with instructions executed, %s: %.4f s of %.4f s, %+.2f %% +- %.2f %%\n",
		$is_right ? 'ok' : 'not ok', $title, $seen, $expected, map { 100 * $_ / $expected } $seen - $expected, $sigma;
	return $is_right;
}

# --- Functions one by one.

sub judge_each {
	my ($run, $profile, $samples, $truth) = @_;
	my %function = map { $_->{name} => $_ } @{$profile->{functions}};
	my %hook_calls = instrumented_of("$run.code");
	my ($total_samples, $total_truth) = (sum0(values %$samples), sum0(values %$truth));
	my @rows = map {
		[$function{$_} // {name => $_, self_samples => 0, self_variance => 0}, $samples->{$_} // 0,
			$total_samples * ($truth->{$_} // 0) / $total_truth]
	} sort keys %{{%$samples, %$truth}};
	my ($worst, @faults) = judge_functions($profile, \%hook_calls, @rows);
	my $idle = grep { exists $hook_calls{$_->{address} // ''} && !$truth->{$_->{name}} } values %function;
	push @faults, 'no instrumented function is idle' if $idle == 0;
	my ($firmware) = $run =~ m{([^/]+)$};
	printf "%s each function agrees with instructions executed, %s%s\n", @faults ? 'not ok' : 'ok', $firmware,
		@faults ? ': ' . join('; ', @faults)
		: sprintf ' (%d samples, worst %.1f sigma, %d instrumented ones never ran)', $total_samples, $worst, $idle;
	return scalar @faults;
}

my $failed = 0;
my ($board, @runs) = @ARGV;
my $faults = 0;
my (%all_samples, %all_truth, %all_doubts, @self, @total);
for my $run (@runs) {
	my $profile = decode_json(join '', lines_of("$run.json"));
	my (%samples, %doubts);
	for (grep { $_->{self_samples} && is_compared($_->{name}) } @{$profile->{functions}}) {
		$samples{row_of($_->{name})} += $_->{self_samples};
		$doubts{row_of($_->{name})} += doubt_of($_, sample_time_of($profile));
	}
	my %truth = truth_of($run, $profile->{functions});
	if ($option{each}) {
		$faults += judge_each($run, $profile, \%samples, \%truth);
		next;
	}
	my ($firmware) = $run =~ m{([^/]+)$};
	$failed++ if !judge_sum($firmware, $profile, instructions_of($run, $profile->{functions}));
	push @self, [$firmware, compare(\%samples, \%truth, \%doubts)];
	# With contexts, time is propagated within each, see context_totals.pl.
	my @totals = @{$profile->{contexts}} > 1 ? () : compare_totals($profile, \%samples, \%truth, \%doubts);
	push @total, [$firmware, @totals] if @totals;

	# Runs are weighted by their samples, as samples are.
	my ($total_samples, $total_truth) = (sum0(values %samples), sum0(values %truth));
	$all_samples{$_} += $samples{$_} for keys %samples;
	# The error of a shared bin is the same in each run.
	$all_doubts{$_} += $doubts{$_} for keys %doubts;
	$all_truth{$_} += $truth{$_} * $total_samples / $total_truth for keys %truth;
}
exit($faults ? 1 : 0) if $option{each};
$failed += judge_all('self', @self);
$failed += judge_all('total', @total) if @total;
# An error that is the same in every period would show here.
$failed += judge_all('self', ["$board, all " . @runs . ' periods together', compare(\%all_samples, \%all_truth, \%all_doubts)])
	if @runs > 1;
exit($failed ? 1 : 0);
