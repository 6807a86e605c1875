# SPDX-License-Identifier: MIT
# planted.pl [OLD NEW]...: `bareprof diff` finds the changes that tests/firmware/changed/change.pl planted in the demo, with
# the size that the executed instructions give, and no others. OLD and NEW are runs (Comparison.pm).
use strict;
use warnings;
use lib 'tests/diff';
use Comparison;

# By chance, one row in ten thousand is reported as changed.
use constant CONFIDENCE => '--confidence=99.99';
# Instructions that differ by less are not a change; `bareprof diff` reports changes of 1 % or more.
use constant SAME => 0.005;

my $pair;

sub check {
	my ($name, $holds, $seen) = @_;
	print $holds ? "ok $name: $pair ($seen)\n" : "not ok $name: $pair: $seen\n";
}

sub is_called {
	return $_[0]{self} && $_[0]{self}{verdict} =~ /^(more|less)$/;
}

sub show {
	my ($comparison, $row) = @_;
	my $self = $row->{self} // return 'no self time';
	return sprintf '%s: self %s, ratio %.3f, %.3f to %.3f, of instructions %.3f', $row->{new}{name}, $self->{verdict},
		$self->{ratio} // 'nan', map { $_ // 'nan' } @{$self->{ratio_interval}}, $comparison->truth($row);
}

sub check_slower {
	my ($comparison) = @_;
	my ($first) = grep { is_called($_) } $comparison->functions;
	my $slower = $comparison->function('find_records');
	my $self = $slower->{self};
	check('the slower function comes first', $first && $first == $slower && $self->{verdict} eq 'more',
		$first ? show($comparison, $first) : 'no function has changed');
	check('its interval contains the true ratio', Comparison::holds($self->{ratio_interval}, $comparison->truth($slower)),
		show($comparison, $slower));
}

sub check_renamed {
	my ($comparison) = @_;
	my $renamed = $comparison->function('section_run');
	check('the renamed function is paired, by code', ($renamed->{paired_by} // '') eq 'code' &&
		$renamed->{old}{name} eq 'biquad_run' && !is_called($renamed), show($comparison, $renamed));
}

sub check_inlined {
	my ($comparison) = @_;
	my $inlined = $comparison->function('send_message');
	my @hosts = Comparison::hosts($inlined, 'new');
	my $self = $inlined->{self};
	check('the inlined function keeps its row', "@hosts" eq 'run_round' && $self && $self->{old} > 0 && $self->{new} > 0 &&
		Comparison::holds($self->{ratio_interval}, $comparison->truth($inlined)), show($comparison, $inlined) .
		", inlined into @hosts");
}

# Including the recorder's row, although its cost depends on the positions of arcs in its table, which move with the code.
sub check_others {
	my ($comparison) = @_;
	my @rows = grep { $_->{self} && defined $comparison->truth($_) } @{$comparison->{json}{functions}};
	my @called = grep { is_called($_) } @rows;
	my @wrong = grep {
		my $more = $comparison->truth($_) - 1;
		abs $more < SAME || $more > 0 != ($_->{self}{verdict} eq 'more')
	} @called;
	check('no unchanged function is called changed', @rows > 20 && !@wrong, @wrong ? show($comparison, $wrong[0])
		: sprintf '%d rows, called: %s', scalar @rows, join ' ', map { $_->{new}{name} } @called);
}

sub check_rules {
	my ($comparison) = @_;
	my ($broken) = $comparison->run('--fail-if', 'self(find_records) > +5%');
	my ($held) = $comparison->run('--fail-if', 'self(find_records) > +100%', '--fail-if', 'self(section_run) > +15%');
	check('rules break and hold', $broken == 3 && $held == 0, "exit status $broken and $held");
}

while (my ($old, $new) = splice @ARGV, 0, 2) {
	$pair = $new;
	my $comparison = Comparison->new($old, $new, CONFIDENCE);
	my $unit = $comparison->{json}{unit};
	check('the unit of work is a round', $unit->{chosen} && $unit->{per} eq 'call' &&
		$unit->{function} == $comparison->function('run_round')->{id}, "per $unit->{per}");
	check_slower($comparison);
	check_renamed($comparison);
	check_inlined($comparison);
	check_others($comparison);
	check_rules($comparison);
}
