# SPDX-License-Identifier: MIT
# state_stacks.pl RUN SECURE|NONSECURE [WITHHOLDS] [PROCESS_STACK] [CHAINED]: checks the slices of tests/firmware/trustzone/
# in an image of that state. Slices of the other state have the stack and code of that one, or, if they are withheld,
# nothing but the PC; a path ends at the border. RUN.bprof is the capture, RUN.symbols the output of readelf -s, RUN.paths that
# of print_paths. Prints a summary, or the errors, on one line.
use strict;
use warnings;
use lib 'tests/emulated';
use Slices;

use constant {
	BAD => 1, WITHHELD => 4,
	FROM_SECURE => 0x40, HAS_NO_ADDITIONAL_CONTEXT => 0x20, # EXC_RETURN (Armv8-M ARM D1.2)
	PC_SECURE => 0xFEFFFFFE,
	KIND_MIN => 50,
};

my ($run, $image, %has) = ($ARGV[0], $ARGV[1], map { $_ => 1 } @ARGV[2 .. $#ARGV]);
my $functions = functions_of_elf("$run.symbols");
my %place;
for (do { open my $file, '<', "$run.symbols" or die "$!\n"; <$file> }) {
	$place{$2} = hex $1 if /^ *\d+: ([0-9a-f]+) .* (\w+)$/;
}

sub name_of {
	my ($address) = @_;
	for (sort keys %$functions) {
		return $_ if $address >= $functions->{$_}{start} && $address < $functions->{$_}{end};
	}
	return sprintf '0x%x', $address;
}

# Paths with their ends, as `END FUNCTION...`, the outermost first. Assembly without frame information ends them early.
my $start = $has{PROCESS_STACK} ? 'no_row call_on_stack' : 'root reset_handler main';
my $own = qr/^(?:$start work(?: own_work(?: own_\w+)?)?|exception work_interrupt|exception(?: work_interrupt)? own_work(?: own_\w+)?)$/;
my $other = qr/^exception (?:other_interrupt|other_work(?: other_\w+)?)$/;
my $border = qr{ (?:call_other|other_gateway)$};

# The fault of a slice, or nothing.
sub fault_of {
	my ($slice, $path) = @_;
	my $is_secure = $slice->{entry} & FROM_SECURE;
	if ($is_secure && ($image eq 'NONSECURE' || $has{WITHHOLDS})) {
		return 'it is not withheld' if $slice->{flags} != WITHHELD || grep { $_ } @$slice{qw(lr sp fp bytes)};
		return 'it has a PC of Secure code' if $image eq 'NONSECURE' && $slice->{pc} != PC_SECURE;
		return $path =~ /^withheld [^ ]+$/ ? () : 'its path has callers';
	}
	my $is_other = $image eq 'SECURE' && !$is_secure;
	my ($low, $high) = $is_other ? @place{qw(other_stack_bottom other_stack_top)} : @place{qw(bss_start stack_top)};
	return 'it has no stack' if $slice->{flags} & (BAD | WITHHELD);
	return sprintf 'sp 0x%x is not in its stack', $slice->{sp} if $slice->{sp} < $low || $slice->{sp} > $high;
	return $path =~ $border || $path =~ ($is_other ? $other : $own) ? () : 'its path is of no such code';
}

my ($block) = blocks_with_slices("$run.bprof");
my %slices = map { $_->{number} => $_ } @{$block->{slices}};
my (@wrong, %kinds, $bordering);
open my $paths, '<', "$run.paths" or die "$run.paths: $!\n";
while (<$paths>) {
	my ($number, $pc, $end, undef, undef, @returns) = split;
	my $slice = $slices{$number};
	my $path = join ' ', $end, reverse map { name_of($_) } hex $pc, map { hex($_) - 1 } @returns;
	my $fault = fault_of($slice, $path);
	push @wrong, sprintf 'slice %d, entry %x, %s: %s', $number, $slice->{entry}, $path, $fault if $fault;
	$kinds{$slice->{entry} & FROM_SECURE ? 'Secure' : 'Non-secure'}++;
	$kinds{chained}++ if $slice->{entry} & FROM_SECURE && !($slice->{entry} & HAS_NO_ADDITIONAL_CONTEXT);
	$bordering++ if $path =~ $border;
}
push @wrong, 'no slices' if !%kinds;
push @wrong, "$block->{bad} bad stack pointers" if $block->{bad};
push @wrong, "$bordering of $block->{capacity} slices in code at the border" if ($bordering // 0) > $block->{capacity} / 20;
for ('Secure', 'Non-secure') {
	push @wrong, sprintf '%d slices of %s code', $kinds{$_} // 0, $_ if ($kinds{$_} // 0) < KIND_MIN;
}
push @wrong, 'no slice of a chained interrupt' if $has{CHAINED} && !$kinds{chained};
print join('; ', @wrong ? @wrong[0 .. ($#wrong < 3 ? $#wrong : 3)] : map { "$kinds{$_} $_" } sort keys %kinds), "\n";
exit !!@wrong;
