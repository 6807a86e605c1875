# SPDX-License-Identifier: MIT
# own_stack.pl CONSOLE PATHS SYMBOLS: compares the stacks that the firmware own_stack printed with the plugin's: of each
# point exactly; of an interrupt, which may come between a call and the hook that notes it, except for its innermost calls.
# The firmware knows from a register whether an interrupt came in the handler that switches tasks, even before its first
# instruction. If it did, one of the plugin's paths of this interrupt must end in that handler.
use strict;
use warnings;

use constant {
	POINT_FRAMES => 2, # own_point() and what calls it have no hooks
	UNNOTED_MAX => 3,  # a function, its hook and what that calls
	SWITCHING => qr/^(?:port_|scheduler_switch|begin_task|pendsv_interrupt|own_switch|bareprof_)/,
	JUMPING => qr/^(?:jump|longjmp|own_cut)$/,
	SWITCH_ENTRY => 'pendsv_interrupt',
	BEFORE_MIN => 5, # interrupts before its first instruction
	KINDS_MIN => {'interrupt in task' => 50, 'point in exception' => 100, 'point in root' => 2, 'point in task' => 300},
};

my ($console, $paths, $symbols) = @ARGV;

sub lines_of {
	my ($path) = @_;
	open my $file, '<', $path or die "$path: $!\n";
	return map { s/\r?\n//r } <$file>;
}

# --- The plugin's: by kind and number.
my (%shadow, $summary);
for (lines_of($paths)) {
	die "the plugin lost its way: $_\n" if /^unexpected/;
	$summary = $_ if /^summary/;
	next unless /^([pl]?)(\d+) (\S+) (\S+) (\d+) (\d+) ?(.*)$/;
	my ($point, $number, $pc, $end, $task, $depth, @returns) = ($1, $2, $3, $4, $5, $6, split ' ', $7);
	die "depth $depth of $_\n" if $depth != @returns;
	push @{$shadow{$point eq 'p' ? 'point' : 'interrupt'}[$number]}, {pc => $pc, end => $end, task => $task, returns => \@returns};
}
die "the plugin wrote no summary\n" if !$summary;

my @functions = sort { $a->[0] <=> $b->[0] }
	map { my @f = split; @f == 3 ? [hex $f[0], hex $f[1], $f[2]] : () } lines_of($symbols);
my ($switch_entry) = map { sprintf '%x', $_->[0] } grep { $_->[2] eq SWITCH_ENTRY } @functions;
sub name_of {
	my ($address) = @_;
	my ($found) = grep { $_->[0] <= $address && $address < $_->[1] } @functions;
	return $found ? $found->[2] : '?';
}

# --- The firmware's.
my (%seen, $wrong);
sub wrong {
	my ($line, $path, $why) = @_;
	print "# $why: firmware: $line; plugin: $path->{pc} $path->{end} $path->{task} @{$path->{returns}}\n"
		if ++$wrong <= 5;
}

for my $line (lines_of($console)) {
	next unless $line =~ /^(point|interrupt) (\d+) ([01]) ([01]) (\d+) (\d+) ?(.*)$/;
	my ($kind, $number, $is_interrupt, $is_switch, $task, $depth, @own) = ($1, $2, $3, $4, $5, $6, split ' ', $7);
	my $paths = $shadow{$kind}[$number] // die "the plugin has no $kind $number\n";
	my ($path) = grep { $kind eq 'point' || $is_switch == ($_->{end} eq 'exception') } @$paths;
	wrong($line, $paths->[0], 'another kind of code'), next if !$path;
	my @returns = @{$path->{returns}};

	# The number of the context before the first task.
	my $main = $task == 0;
	if ($is_switch && $kind eq 'interrupt' && $path->{pc} eq $switch_entry) {
		wrong($line, $path, 'calls before the first instruction') if @returns;
		$seen{'interrupt before a switch'}++;
		next;
	}
	if ($kind eq 'interrupt') {
		# The firmware notes a switch or a longjmp() before, or after, it takes place.
		my ($function, @callers) = map { name_of($_) } hex $path->{pc}, map { hex($_) - 1 } @returns;
		if ($path->{end} eq 'exception' || $function =~ JUMPING
			|| grep { $_ =~ SWITCHING || $_ eq 'own_cut' } $function, @callers) {
			$seen{'interrupt during a switch'}++;
			next;
		}
	} else {
		splice @returns, 0, POINT_FRAMES;
	}
	pop @own if !$is_interrupt && !$main; # the exit handler that a task's entry would return to
	wrong($line, $path, 'another kind of code'), next
		if $path->{end} ne ($is_interrupt ? 'exception' : $main ? 'root' : 'task');
	# The first stack belongs to the code before the tasks.
	wrong($line, $path, 'another task'), next if $path->{end} eq 'task' && $path->{task} != $task + 1;
	# The outermost functions of the interrupt have no hooks.
	splice @returns, scalar @own if $is_interrupt;
	my $unnoted = @returns - @own;
	wrong($line, $path, 'another depth'), next
		if $unnoted < 0 || $unnoted > ($kind eq 'interrupt' ? UNNOTED_MAX : 0);
	wrong($line, $path, 'another path'), next if "@own" ne "@returns[$unnoted .. $#returns]";
	$seen{"$kind in $path->{end}"}++;
}
print "# $_: $seen{$_}\n" for sort keys %seen;
print "# $summary\n";
my %minimum = (%{+KINDS_MIN}, $switch_entry ? ('interrupt before a switch' => BEFORE_MIN) : ());
for (sort keys %minimum) {
	print "# $_: only ", $seen{$_} // 0, "\n" and $wrong++ if ($seen{$_} // 0) < $minimum{$_};
}
exit($wrong ? 1 : 0);
