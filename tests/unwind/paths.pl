# SPDX-License-Identifier: MIT
# paths.pl PATHS SHADOW [NAME=VALUE]...: compares unwound paths, the lines of print_paths, with the paths of the plugin's shadow
# call stack. A path that the unwinder calls complete must equal the shadow stack of its tick, also in its end; one that is
# cut must be right as far as it goes.
#
#	wrong=N      the percentage of all ticks whose paths may be wrong (default 0): code of a compiler's library with wrong
#	             frame information. The paths are a sample of them, so two standard errors are added
#	complete=N   the percentage of all paths that must be complete (default 90)
#	paths=N      paths that there must be (default 100)
#	tasks=N      tasks that complete paths must end in (default 0)
# Prints one line: the counts. Exit status 1: these limits do not hold; the first wrong paths are printed as comments.
use strict;
use warnings;

use constant SHOWN_MAX => 4;

my ($paths, $shadow, @limits) = @ARGV;
my %limit = (wrong => 0, complete => 90, paths => 100, tasks => 0, map { split /=/ } @limits);

sub lines_of {
	my ($path) = @_;
	open my $file, '<', $path or die "$path: $!\n";
	return map { s/\r?\n//r } <$file>;
}

sub parse {
	my ($number, $pc, $end, $context, $depth, @returns) = split ' ', $_[0];
	return {number => $number, pc => $pc, end => $end, context => $context, returns => \@returns};
}

my @unwound = map { parse($_) } lines_of($paths);
my (@true, $has_summary); # of each tick, by the program counter
for (lines_of($shadow)) {
	die "the plugin lost its way: $_\n" if /^unexpected/;
	$has_summary ||= /^summary/;
	next unless s/^l?(?=\d)//;
	my $path = parse($_);
	$true[$path->{number}]{$path->{pc}} = $path;
}
die "the plugin wrote no summary\n" if !$has_summary;
die "only " . @unwound . " paths\n" if @unwound < $limit{paths};

# The recorder numbers the ticks that offer a slice, from the start of the profile on, and the plugin all ticks. The
# difference is the one with which the program counters agree.
sub agreeing {
	my ($difference, $enough) = @_;
	my ($agree, $tried) = (0, 0);
	for (@unwound) {
		my $found = $true[$_->{number} + $difference];
		$agree++ if $found && $found->{$_->{pc}};
		last if ++$tried == $enough;
	}
	return $agree;
}
my ($difference) = grep { agreeing($_, 10) >= 9 && agreeing($_, scalar @unwound) >= @unwound - 1 } 0 .. $#true;
die "the program counters agree with no sequence of ticks\n" if !defined $difference;

my (%count, %tasks, @wrong);
for my $path (@unwound) {
	my $found = $true[$path->{number} + $difference];
	my @returns = @{$path->{returns}};
	my $is_complete = $path->{end} =~ /^(?:root|task|exception)$/;

	if (!$found) {
		$count{'without truth'}++;
		next;
	}
	my $true = $found->{$path->{pc}} // (values %$found)[0];
	my @expected = @{$true->{returns}};
	splice @expected, scalar @returns if !$is_complete && @expected > @returns;
	my $is_right = $true->{pc} eq $path->{pc} && "@returns" eq "@expected" && (!$is_complete || $path->{end} eq $true->{end});
	$count{$is_complete ? 'complete' : $path->{end}}++;
	$count{$path->{end}}++ if $is_complete;
	$tasks{$true->{context}}++ if $path->{end} eq 'task' && $is_right;
	push @wrong, [$path, $true] if !$is_right;
}

sub text_of {
	my ($path) = @_;
	return "$path->{pc} $path->{end}: @{$path->{returns}}";
}
for (@wrong[0 .. ($#wrong < SHOWN_MAX ? $#wrong : SHOWN_MAX - 1)]) {
	print "# tick $_->[0]{number}: unwound ", text_of($_->[0]), "\n# tick $_->[0]{number}: shadow  ", text_of($_->[1]), "\n";
}
my $total = @unwound;
my $complete = $count{complete} // 0;
printf "%d paths: %d wrong, %d complete, %s\n", $total, scalar @wrong, $complete,
	join ', ', map { "$_ $count{$_}" } grep { $_ ne 'complete' } sort keys %count;
my $allowed = $limit{wrong} / 100 * $total;
exit 1 if @wrong > $allowed + 2 * sqrt($allowed) || $complete < $limit{complete} / 100 * $total
	|| keys %tasks < $limit{tasks} || ($count{'without truth'} // 0) > 1;
