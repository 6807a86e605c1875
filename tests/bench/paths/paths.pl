# SPDX-License-Identifier: MIT
# paths.pl BOARD OBJDUMP ELF COUNTS CONSOLE: the figures of a run of tests/firmware/hits, whose executed instructions
# are in COUNTS. A path that is not the same for each call, for each tick or for each poll is an error: then it was not one
# path that was counted.
use strict;
use warnings;
use POSIX qw(ceil);

my ($board, $objdump, $elf, $counts, $console) = @ARGV;

# The functions of tests/firmware/hits itself, and how often the recorder's paths run: each of their instructions was
# executed that many times or a multiple. All numbers are prime, so that a count belongs to one path.
my $FIRMWARE = qr/^(measured_\w+|call_often|poll_often|stack_paint|wait_for_ticks|main)$/;
my %RUNS = (call => 1009, tick => 503, poll => 701);
# This many of the ticks are timed and take another path, with a loop of up to six rounds: the figure of a tick is the
# mean.
my $TIMED = int((5 + $RUNS{tick} - 1) / 64);
my %IS_OF_TICK = map { $_ => 1 } $RUNS{tick} - $TIMED, 1 .. 6 * $TIMED;

sub lines_of {
	my ($how, @what) = @_;
	open my $input, $how, @what or die "@what: $!\n";
	return <$input>;
}

# The function that each instruction belongs to, and the instructions between the first that hands the return address
# to the hook and the call of the hook, in the function that is called.
my (%owner, @site, $function);
for (lines_of '-|', $objdump, '-d', '--no-show-raw-insn', $elf) {
	$function = $1 if /^[0-9a-f]+ <(.*)>:$/;
	next unless /^\s*([0-9a-f]+):\s+(.*)/;
	my ($address, $instruction) = (hex $1, $2);
	$owner{$address} = $function;
	next unless $function eq 'measured_call';
	@site = () if $instruction =~ /^(push\s+\{lr\}|mv\s+a0,ra)/;
	push @site, $address unless @site && $site[-1] == 0;
	push @site, 0 if $instruction =~ /<(__gnu_mcount_nc|_mcount)>/;
}
die "$elf: measured_call() does not call a hook\n" unless @site && pop @site == 0;
my %site = map { $_ => 1 } @site;

my %executed = (call => 0, tick => 0, poll => 0);
for (lines_of '<', $counts) {
	my ($address, $count) = split;
	my $name = $owner{hex $address} // die "$elf: what was executed at 0x$address?\n";
	next if $name =~ $FIRMWARE && !$site{hex $address};
	my ($path) = $IS_OF_TICK{$count} ? 'tick' : grep { $count % $RUNS{$_} == 0 } keys %RUNS;
	die "$elf: not all calls, ticks and polls take one path: 0x$address in $name was executed $count times\n"
		unless defined $path;
	$executed{$path} += $count;
}
for my $path ("call", "tick", "poll") {
	die "$elf: no $path was counted\n" unless $executed{$path};
	printf "instructions-%s %s %d\n", $path, $board, ceil($executed{$path} / $RUNS{$path});
}
for (lines_of '<', $console) {
	print "stack-tick $board $1\n" if /^stack (\d+)/;
}
