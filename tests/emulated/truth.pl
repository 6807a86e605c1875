# SPDX-License-Identifier: MIT
# truth.pl BOARD PROGRAM RUN: compares a profile with the instructions that QEMU executed while it was taken. RUN.json is
# the profile, RUN.counts the plugin's file, RUN.code the output of objdump -d, RUN.symbols the output of readelf -s.
# Checks that every call was counted, that the time outside the recorder is right, that every function's samples are within
# chance (none at all if it never ran), and the cost of a call.
use strict;
use warnings;
use JSON::PP;
use List::Util qw(sum0);
use lib 'tests/emulated';
use Executed qw(lines_of instrumented_of judge_functions);

use constant {
	NANOSECONDS_PER_INSTRUCTION => 32, # -icount shift=5
	SUM_TOLERANCE => 0.005,
	SUM_SIGMAS => 3,
	CALL_SITE_INSTRUCTIONS => 2, # push and bl, mv and jal
};
my %most_per_call = (qr/^mps2/ => 34, qr/rv32/ => 33);

my ($board, $program, $run) = @ARGV;
my $profile = decode_json(join '', lines_of("$run.json"));
my %executed = map { my ($address, $count) = split; (hex($address) => $count) } lines_of("$run.counts");
my %bound = map { my @f = split; $f[7] =~ /^bareprof_code_(start|end)$/ ? ($1 => hex $f[1]) : () }
	grep { /bareprof_code_(start|end)$/ } lines_of("$run.symbols");

my $failures = 0;
sub check {
	my ($holds, $what, $detail) = @_;
	printf "%s %s on %s: %s (%s)\n", $holds ? 'ok' : 'not ok', $program, $board, $what, $detail;
	$failures++ if !$holds;
}

# Instructions executed by function. Left out are the recorder and the board's sampling interrupt: it has the highest
# priority, so it is never sampled, and is part of a tick's cost.
my @placed = sort { $a->{address} <=> $b->{address} } grep { $_->{kind} eq 'function' } @{$profile->{functions}};
my @functions = grep { $_->{name} !~ /^(acknowledge_sampling|next_sample|bareprof_timer_remaining|trap_vectors)$/ } @placed;
my $outside = 0;
my %truth = map { $_->{id} => 0 } @functions;
my $at = 0;
for my $address (sort { $a <=> $b } keys %executed) {
	next if $address >= $bound{start} && $address < $bound{end};
	$at++ while $at < @placed && $placed[$at]{address} + $placed[$at]{size} <= $address;
	my $is_named = $at < @placed && $placed[$at]{address} <= $address;
	next if $is_named && !exists $truth{$placed[$at]{id}};
	$truth{$placed[$at]{id}} += $executed{$address} if $is_named;
	$outside += $executed{$address};
}

# --- Calls.
my %hook_calls = instrumented_of("$run.code");
my ($calls, @wrong) = (0);
for (@functions) {
	my $seen = $_->{calls} + $_->{self_calls};
	my $true = sum0(map { $executed{$_} // 0 } @{$hook_calls{$_->{address}} // []});
	push @wrong, "$_->{name}: $seen of $true" if $seen != $true;
	$calls += $true;
}
check(!@wrong, 'calls are exact', @wrong ? join '; ', @wrong[0 .. ($#wrong > 5 ? 5 : $#wrong)] : "$calls calls");

# --- The sum. Its error is the binomial error of the samples outside the recorder.
my ($own) = grep { $_->{kind} eq 'bareprof' && $_->{name} eq '<bareprof>' } @{$profile->{functions}};
my $seconds = $profile->{total} - $own->{self};
my $true_seconds = $outside * NANOSECONDS_PER_INSTRUCTION / 1e9;
my $samples_outside = $profile->{total_samples} - $own->{self_samples};
my $chance = sqrt($samples_outside * $own->{self_samples} / $profile->{total_samples}) / $samples_outside;
my $off = $seconds / $true_seconds - 1;
check(abs $off <= SUM_TOLERANCE + SUM_SIGMAS * $chance, 'the time outside the recorder is right',
	sprintf '%+.2f %% of %.3f s, +- %.2f %%', 100 * $off, $true_seconds, 100 * $chance);

# --- Rows.
my @rows = map { [$_, $_->{self_samples}, $truth{$_->{id}} / $outside * $samples_outside] } @functions;
my ($worst, @far) = judge_functions($profile, \%hook_calls, @rows);
check(!@far, 'every function has the samples of the time it took',
	@far ? @far . ' functions: ' . join '; ', @far[0 .. ($#far > 5 ? 5 : $#far)]
	: sprintf '%d samples, worst %.1f standard deviations', $profile->{total_samples}, $worst);

# --- The cost of a call, from the call site to the return: the instructions of the hook and of its callees.
my %hook_code;
my $symbol = '';
for (lines_of("$run.code")) {
	$symbol = $1 if /^[0-9a-f]+ <([^>]+)>:$/;
	next if $symbol !~ /^(__gnu_mcount_nc|_mcount|bareprof_arc|bareprof_counter_increment)$/;
	$hook_code{$symbol} += $executed{hex $1} // 0 if /^\s*([0-9a-f]+):\t/;
}
my $in_hook = 0;
$in_hook += $_ for values %hook_code;
my $per_call = $in_hook / $calls + CALL_SITE_INSTRUCTIONS;
my ($most) = map { $board =~ $_ ? $most_per_call{$_} : () } keys %most_per_call;
check($per_call <= $most, 'a call costs what it may on average',
	sprintf '%.1f instructions of at most %d; the recorder takes %.1f %% of the time', $per_call, $most,
	100 * $own->{self} / $profile->{total});
exit($failures != 0);
