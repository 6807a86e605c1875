# SPDX-License-Identifier: MIT
# The output of `bareprof diff` for two runs, and the instructions that each function executed in them. A run is
# BOARD/FIRMWARE; run.sh leaves its files in build/diff/.
package Comparison;
use strict;
use warnings;
use JSON::PP;

# new(OLD, NEW, OPTION...) compares.
sub new {
	my ($class, $old, $new, @options) = @_;
	my $self = bless {old => $old, new => $new, options => \@options}, $class;
	my ($status, $text) = $self->run('--format=json');
	die "bareprof diff of $old and $new ended with $status\n" if $status;
	$self->{json} = decode_json($text);
	$self->{executed} = {map {
		$_ => executed($self->{$_}, $self->outlined($_), defined $self->{json}{$_}{handler_time})
	} qw(old new)};
	return $self;
}

# Exit status and output of a comparison with more options.
sub run {
	my ($self, @more) = @_;
	my @words = map { "build/firmware/$self->{$_}.elf:build/diff/$self->{$_}.bprof" } qw(old new);
	open my $output, '-|', 'build/bareprof', 'diff', @{$self->{options}}, @more, @words or die "build/bareprof: $!\n";
	my $text = join '', <$output>;
	close $output;
	return ($? >> 8, $text);
}

sub functions {
	my ($self) = @_;
	return grep { $_->{kind} eq 'function' } @{$self->{json}{functions}};
}

# The function that has this name in the new build.
sub function {
	my ($self, $name) = @_;
	my ($found) = grep { $_->{new} && plain($_->{new}{name}) eq $name } $self->functions;
	return $found // die "bareprof diff has no function $name in the new build\n";
}

# The functions that a function is inlined into in a build, in part or everywhere.
sub hosts {
	my ($row, $build) = @_;
	my $side = $row->{$build} // return;
	return @{$side->{inlined_into} // $side->{partly_inlined_into} // []};
}

sub outlined {
	my ($self, $build) = @_;
	return {map { plain($_->{$build}{name}) => 1 } grep { hosts($_, $build) } $self->functions};
}

# The ratio, new to old, of the instructions that a function executed per unit of work; undef if it executed none.
sub truth {
	my ($self, $row) = @_;
	my ($old, $new) = map {
		my $name = $row->{kind} eq 'bareprof' ? '<bareprof>' : plain(($row->{$_} // return)->{name});
		($self->{executed}{$_}{$name} // return) / $self->{json}{$_}{work}
	} qw(old new);
	return $new / $old;
}

# A name without the suffixes of the compiler.
sub plain {
	return $_[0] =~ s/\..*//r;
}

# The start and the end of the recorder's code.
sub recorder_code {
	my ($symbols) = @_;
	return sort { $a <=> $b } map { /\bbareprof_code_(?:start|end)$/ ? hex((split)[1]) : () } lines_of('<', $symbols);
}

# Instructions by function. addr2line shows what is inlined; an instruction belongs to the innermost function that has a
# row. The recorder has the instructions of its hooks and, if its row has the time of sampling interrupts, of their
# handler.
sub executed {
	my ($run, $outlined, $has_handler) = @_;
	my ($counts, $elf) = ("build/diff/$run.counts", "build/firmware/$run.elf");
	my ($recorder_start, $recorder_end) = recorder_code("build/diff/$run.symbols");
	my %count = map { my ($address, $count) = split; (hex $address => $count) } lines_of('<', $counts);
	my $addr2line = $run =~ /^qemu-virt/ ? 'riscv64-unknown-elf-addr2line' : 'arm-none-eabi-addr2line';
	my @lines = lines_of('-|', "cut -d ' ' -f 1 '$counts' | $addr2line -afie '$elf'");
	my %executed;
	while (@lines) {
		chomp(my $address = shift @lines);
		my @frames;
		while (@lines && $lines[0] !~ /^0x/) {
			push @frames, splice @lines, 0, 2;
		}
		my @names = map { chomp; plain($_) } @frames[grep { $_ % 2 == 0 } 0 .. $#frames];
		my ($owner) = ((grep { $outlined->{$_} } @names), $names[-1]);
		my $is_handler = hex $address >= $recorder_start && hex $address < $recorder_end && $owner ne 'external_interrupt';
		$owner = '<bareprof>' if $owner =~ /mcount|^bareprof_arc$|^bareprof_counter_increment$/ || ($has_handler && $is_handler);
		$executed{$owner} += $count{hex $address};
	}
	return \%executed;
}

sub lines_of {
	my ($mode, $path) = @_;
	open my $file, $mode, $path or die "$path: $!\n";
	my @lines = <$file>;
	close $file or die "$path: failed\n";
	return @lines;
}

# Whether an interval contains a number; a null bound is infinite.
sub holds {
	my ($interval, $number) = @_;
	return (!defined $interval->[0] || $interval->[0] <= $number) && (!defined $interval->[1] || $number <= $interval->[1]);
}

1;
