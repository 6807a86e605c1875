# SPDX-License-Identifier: MIT
# builds.pl [OLD NEW]...: two builds of one source with other flags or another compiler. `bareprof diff` pairs all functions of
# the demo, inlined or not, and its times agree with the executed instructions. OLD and NEW are runs (Comparison.pm).
use strict;
use warnings;
use lib 'tests/diff';
use Comparison;

# Hundreds of intervals should all contain the true value: one in ten thousand misses it by chance.
use constant CONFIDENCE => '--confidence=99.99';

# Every function of the demo except inline ones has a line COUNT(name); the kernels of `inlining` are declared.
my %named = (
	demo => names(qr/\bCOUNT\((\w+)\)/, glob 'tests/firmware/demo/*.c'),
	inlining => names(qr/\b(\w+)\(.*\);$/, 'tests/firmware/inlining/kernels.h'),
);
# Functions that GCC inlines at -O3 and calls at -O2. Their symbols remain.
my @kept = qw(list_merge list_sort matrix_multiply);

sub names {
	my ($pattern, @files) = @_;
	return [sort map { $_ =~ $pattern ? $1 : () } map { Comparison::lines_of('<', $_) } @files];
}

sub check {
	my ($name, $seen, @wrong) = @_;
	print @wrong ? "not ok $name: $seen: @wrong\n" : "ok $name: $seen\n";
}

sub is_paired {
	my ($row, $name) = @_;
	return $row->{old} && $row->{new} && $row->{paired_by} =~ /^(name|clone|moved name)$/
		&& Comparison::plain($row->{old}{name}) eq $name;
}

sub is_inlined {
	my ($row) = @_;
	return Comparison::hosts($row, 'old') || Comparison::hosts($row, 'new');
}

sub show {
	my ($comparison, $row) = @_;
	return sprintf '%s by %.3f, %.3f to %.3f, of instructions %.3f;', $row->{new}{name}, $row->{self}{ratio},
		map { $_ // 'nan' } @{$row->{self}{ratio_interval}}, $comparison->truth($row);
}

while (my ($old, $new) = splice @ARGV, 0, 2) {
	my $comparison = Comparison->new($old, $new, CONFIDENCE);
	my $pair = "$old and $new";
	my ($is_inlining) = $old =~ m{/inlining\b};
	my @named = @{$named{$is_inlining ? 'inlining' : 'demo'}};
	my @unpaired = grep { my $name = $_; !grep { $_->{new} && Comparison::plain($_->{new}{name}) eq $name &&
		is_paired($_, $name) } $comparison->functions } @named;
	check("all functions are paired by name: $pair", scalar(@named) . ' functions', @unpaired);

	my @known = grep { $_->{self} && defined $_->{self}{ratio} && defined $comparison->truth($_) }
		@{$comparison->{json}{functions}};
	my @called = grep { $_->{self}{verdict} =~ /^(more|less)$/ } @known;
	my @wrong = grep { ($_->{self}{verdict} eq 'more') != ($comparison->truth($_) > 1) } @called;
	my @inlined = grep { is_inlined($_) } @called;
	check("changes have the direction of the instructions: $pair", sprintf('%d of %d rows called, %d of them inlined in a build',
		scalar @called, scalar @known, scalar @inlined), map { show($comparison, $_) } @wrong);

	if ($is_inlining) {
		my @gone = grep {
			my $row = $comparison->function($_);
			!$row->{new}{inlined_into} || !$row->{new}{clones} || Comparison::hosts($row, 'old') || !$row->{self}{new}
		} @kept;
		my @lost = grep {
			my $self = $comparison->function($_)->{self};
			$self && ($self->{old} == 0) != ($self->{new} == 0)
		} @named;
		check("no function loses its time: $pair", scalar(@named) . ' functions', @lost);
		check("inlined functions that keep their symbols have their time: $pair", "@kept", @gone);
	}

	my @outside = grep { !Comparison::holds($_->{self}{ratio_interval}, $comparison->truth($_)) } @known;
	check("intervals hold the ratio of instructions: $pair", scalar(@known) . ' rows', map { show($comparison, $_) } @outside);
}
