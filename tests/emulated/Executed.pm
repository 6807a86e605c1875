# SPDX-License-Identifier: MIT
# Compares functions one by one with the instructions that were executed: the rule for all tests that count these.
package Executed;
use strict;
use warnings;
use Exporter 'import';
use POSIX qw(ceil floor);
our @EXPORT_OK = qw(lines_of instrumented_of sample_time_of doubt_of judge_functions);

use constant {
	# A row that is right is beyond either limit with a chance of 1e-5: all tests together judge some thousand rows.
	SIGMAS => 4.4,
	POISSON_CHANCE => 1e-5,
	NORMAL_SAMPLES => 20, # if fewer are expected, the exact Poisson probability decides beyond SIGMAS
};

sub lines_of {
	my ($path) = @_;
	open my $file, '<', $path or die "$path: $!\n";
	return <$file>;
}

# instrumented_of(PATH) reads the output of objdump -d and returns the functions that call a hook, by their address:
# the addresses of these calls.
sub instrumented_of {
	my ($path) = @_;
	my (%hook_calls, $function);
	for (lines_of($path)) {
		$function = hex $1 if /^([0-9a-f]+) <[^>]+>:$/;
		push @{$hook_calls{$function}}, hex $1 if /^\s*([0-9a-f]+):\s.*<(?:__gnu_mcount_nc|_mcount)>$/;
	}
	return %hook_calls;
}

# The seconds of code that one sample stands for: the period minus the sampling interrupt's part of it. Times of
# functions and arcs are sums of these; the rest of each period is in the recorder's row and in the total of the
# profile.
sub sample_time_of {
	my ($profile) = @_;
	return ($profile->{total} - ($profile->{handler_time} // 0)) / $profile->{total_samples};
}

# The stated uncertainty about shared bins and granules, as a standard deviation in samples: the part of its
# variance beyond the variance of counting. Without shared bins and granules it is 0.
sub doubt_of {
	my ($function, $sample_time) = @_;
	my $variance = $function->{self_variance} / $sample_time ** 2 - $function->{self_samples};
	return $variance > 1e-6 * $function->{self_samples} ? sqrt $variance : 0;
}

# The probability of at least (above) or at most this many samples, of a Poisson distribution.
sub poisson_tail {
	my ($seen, $mean, $above) = @_;
	my ($term, $sum) = (exp(-$mean), 0);
	for my $k (0 .. ($above ? $seen - 1 : $seen)) {
		$sum += $term;
		$term *= $mean / ($k + 1);
	}
	return $above ? 1 - $sum : $sum;
}

# The reason why samples of a function that never ran are wrong, or nothing.
sub fault_of_idle {
	my ($function, $is_instrumented) = @_;
	return 'it is instrumented and never ran' if $is_instrumented;
	return 'it never ran and is not marked' if !$function->{only_shared};
	return 'its error excludes 0' if $function->{self_variance} < $function->{self} ** 2 * 0.999;
	return;
}

# The reason why a function's samples are too far from the expected ones, or nothing. Samples of shared cells are not
# whole numbers: they are rounded towards the expectation.
sub fault_of_running {
	my ($seen, $expected, $sigmas) = @_;
	return if $sigmas <= SIGMAS;
	return 'that is beyond ' . SIGMAS . ' sigma' if $expected >= NORMAL_SAMPLES;
	my $above = $seen > $expected;
	return if poisson_tail($above ? floor($seen) : ceil($seen), $expected, $above) > POISSON_CHANCE;
	return 'that is too unlikely';
}

# judge_functions(PROFILE, HOOK_CALLS, ROWS) judges [FUNCTION, SAMPLES, EXPECTED] of every function that is sampled. It
# returns how many sigma the worst row is off of those with enough samples for a normal distribution, and the faults.
sub judge_functions {
	my ($profile, $hook_calls, @rows) = @_;
	my $sample_time = sample_time_of($profile);
	my ($total, $worst, @faults) = (0, 0);
	$total += $_->[1] for @rows;
	for (grep { $_->[1] > 0 || $_->[2] > 0 } @rows) {
		my ($function, $seen, $expected) = @$_;
		my $fault;
		if ($expected == 0) {
			$fault = fault_of_idle($function, exists $hook_calls->{$function->{address} // ''});
		} else {
			my $variance = $expected * (1 - $expected / $total) + doubt_of($function, $sample_time) ** 2;
			my $sigmas = abs($seen - $expected) / (sqrt($variance) || 1);
			$worst = $sigmas if $expected >= NORMAL_SAMPLES && $sigmas > $worst;
			$fault = fault_of_running($seen, $expected, $sigmas);
		}
		push @faults, sprintf '%s has %.2f samples, expected %.2f: %s', $function->{name}, $seen, $expected, $fault if $fault;
	}
	return ($worst, @faults);
}

1;
