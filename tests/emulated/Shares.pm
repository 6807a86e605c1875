# SPDX-License-Identifier: MIT
# A second implementation of gprof's propagation: the share of each function's self time that is part
# of another's total time. Total_r = self_r + sum over callees e of total_e * calls(r, e) / calls(e), where a cycle is
# one node and calls between its members do not count. Written for the tests and from the formula, so that it can
# disagree with the tool.
package Shares;
use strict;
use warnings;

# shares(PROFILE) takes the decoded JSON of a profile and returns { function => { of_function => share } } by id.
sub shares {
	my ($profile) = @_;
	my (%node_of, %members, %cycle_of);
	$cycle_of{$_->{id}} = $_->{cycle} for @{$profile->{functions}};
	for my $id (keys %cycle_of) {
		$node_of{$id} = defined $cycle_of{$id} ? "cycle $cycle_of{$id}" : $id;
		push @{$members{$node_of{$id}}}, $id;
	}
	my (%calls, %callees);
	for my $arc (grep { $node_of{$_->{caller}} ne $node_of{$_->{callee}} } @{$profile->{arcs}}) {
		$calls{$node_of{$arc->{callee}}} += $arc->{count};
		$callees{$arc->{caller}}{$node_of{$arc->{callee}}} += $arc->{count};
	}
	my (%of_node, %of_function);
	my @waiting = keys %members;
	while (@waiting) {
		my $before = @waiting;
		@waiting = grep { !settle($_, \%members, \%callees, \%calls, \%of_node, \%of_function) } @waiting;
		die "the arcs between cycles form a cycle\n" if @waiting == $before;
	}
	return \%of_function;
}

# Computes the shares of a node. False if the shares of a callee are still missing.
sub settle {
	my ($node, $members, $callees, $calls, $of_node, $of_function) = @_;
	for my $member (@{$members->{$node}}) {
		return 0 if grep { !$of_node->{$_} } keys %{$callees->{$member} // {}};
	}
	my %whole;
	for my $member (@{$members->{$node}}) {
		my %share = ($member => 1);
		while (my ($callee, $count) = each %{$callees->{$member} // {}}) {
			$share{$_} += $of_node->{$callee}{$_} * $count / $calls->{$callee} for keys %{$of_node->{$callee}};
		}
		$whole{$_} += $share{$_} for keys %share;
		$of_function->{$member} = \%share;
	}
	$of_node->{$node} = \%whole;
	return 1;
}

1;
