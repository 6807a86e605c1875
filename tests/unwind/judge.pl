# SPDX-License-Identifier: MIT
# judge.pl PATHS BACKTRACES [NAME=VALUE]...: compares unwound paths, the lines of print_paths, with gdb's backtraces of the same
# ticks, the lines of judge.py. Where they differ, gdb must be wrong for a known reason.
#
#	ticks=N     ticks that there must be (default 100)
#	equal=N     ticks whose paths must be equal (default 30). On a slow machine many ticks interrupt a handler of RISC-V, whose
#	            callers gdb does not know
#	gdb=N       the percentage of the other ticks, those outside such handlers, in which gdb may be wrong (default 0)
# Prints one line: the counts. Exit status 1: these limits do not hold; the first paths that differ are printed as comments.
use strict;
use warnings;

use constant {
	SHOWN_MAX => 4,
	MISSING_MAX => 2, # ticks before the profile begins, and a slice that is being written while the capture is taken
};

# Where gdb is wrong: a reason, and whether it applies to a path and gdb's frames, by function and mnemonic of the interrupted
# instruction.
my @known = (
	# gdb knows no trap handlers of RISC-V, and takes the code that one interrupted for its caller.
	['at an exception' => sub { $_[2]{end} eq 'exception' && $_[3] =~ /^\Q$_[2]{returns}\E/ }],
	# clang emits no row between the restored stack pointer and the return or tail call.
	['at the end of a function' => sub { $_[1] =~ /^(?:ret|tail|jr?|b(?:\.[nw])?|bx)$/ }],
	# libgcc has no frame information for the functions that save and restore registers for -msave-restore.
	['in __riscv_save and __riscv_restore' => sub { $_[0] =~ /^__riscv_(?:save|restore)_/ }],
);

my ($paths, $backtraces, @limits) = @ARGV;
my %limit = (ticks => 100, equal => 30, gdb => 0, map { split /=/ } @limits);

sub lines_of {
	my ($path) = @_;
	open my $file, '<', $path or die "$path: $!\n";
	return map { [split] } <$file>;
}

my %unwound = map {
	my ($number, $pc, $end, undef, undef, @returns) = @$_;
	$number => {pc => $pc, end => $end, returns => "@returns"};
} lines_of($paths);
my @judged = lines_of($backtraces);
# The recorder numbers its ticks from the start of the profile on.
my ($difference) = grep {
	my $shift = $_;
	@judged - MISSING_MAX <= grep { ($unwound{$_->[0] + $shift}{pc} // '') eq $_->[1] } @judged;
} -2 .. 2;
die "the program counters of the ticks do not agree\n" if !defined $difference;

my (%count, @wrong);
my $wrong_by_gdb = 0;
for (@judged) {
	my ($tick, $pc, $function, $mnemonic, @returns) = @$_;
	my $path = $unwound{$tick + $difference};
	if (($path->{pc} // '') ne $pc) {
		$count{'without a slice'}++;
		next;
	}
	my $frames = "@returns";
	$frames = substr $frames, 0, length $path->{returns} if $path->{end} eq 'cut';
	if ($frames eq $path->{returns}) {
		$count{'equal'}++;
		next;
	}
	my ($known) = grep { $_->[1]->($function, $mnemonic, $path, $frames) } @known;
	if ($known) {
		$count{"gdb wrong $known->[0]"}++;
		$wrong_by_gdb++;
		next;
	}
	push @wrong, "tick $tick at $pc in $function ($mnemonic): unwound $path->{end}: $path->{returns}; gdb: @returns";
}
print "# $_\n" for @wrong[0 .. ($#wrong < SHOWN_MAX ? $#wrong : SHOWN_MAX - 1)];
printf "%d ticks: %s\n", scalar @judged, join ', ', map { "$count{$_} $_" } sort keys %count;
my $in_handlers = $count{"gdb wrong $known[0][0]"} // 0;
exit 1 if @wrong || @judged < $limit{ticks} || ($count{'equal'} // 0) < $limit{equal}
	|| $wrong_by_gdb - $in_handlers > $limit{gdb} / 100 * (@judged - $in_handlers);
