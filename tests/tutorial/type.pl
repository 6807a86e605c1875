# SPDX-License-Identifier: MIT
# type.pl PAGE FOLDER SESSION: types the commands of a page into one bash that begins in FOLDER, and compares what they print
# with what the page shows. All that was typed and printed goes to the file SESSION.
#
# A block of the page that begins with "    $ " has commands after "$ ", which go on after "> ", each with the lines that it
# prints. A command must exit with 0. If lines are shown, they must be printed, except that
#   - "..." stands for any lines, and blank lines do not count; nor does the width of blanks;
#   - a percentage, at the beginning of a line or with its unit, or a time with a unit, may differ by a quarter, or by 3;
#   - other numbers may differ, unless they are whole and below 100, and so may build-ids.
# Port 3333 is replaced by a free one. After a command in the background, the next one is typed when that port is open, instead
# of after a `sleep`.
use strict;
use warnings;
use IO::Socket::INET;
use IPC::Open2;

my ($page, $folder, $session) = @ARGV;
my $failures = 0;
my $port = IO::Socket::INET->new(Listen => 1, LocalAddr => "127.0.0.1")->sockport;
my $number = qr/[+-]?\d[\d,]*(?:\.\d+)?/;

# The commands of the page: {command, line, shown}.
sub commands_of {
	my ($file) = @_;
	my (@commands, $in_block);
	open my $text, "<", $file or die "$file: $!\n";
	while (my $line = <$text>) {
		chomp $line;
		$in_block = 0 if $line =~ /^\S/;
		next unless $line =~ s/^    // && ($in_block ||= $line =~ /^\$ /);
		if ($line =~ /^\$ (.*)/) {
			push @commands, {command => $1, line => $., shown => []};
		} elsif ($line =~ /^> (.*)/ && !@{$commands[-1]{shown}}) {
			$commands[-1]{command} .= "\n$1";
		} elsif ($line =~ /\S/) {
			push @{$commands[-1]{shown}}, $line;
		}
	}
	return @commands;
}

# A line as its text, and its numbers, each with the text after it.
sub taken_apart {
	my ($line) = @_;
	$line =~ s/\bbuild [0-9a-f]{8}\b/build ID/g;
	$line =~ s/[ \t]+/ /g;
	$line =~ s/^ | $//g;
	my @numbers;
	while ($line =~ /($number)/g) {
		push @numbers, {value => $1 =~ tr/,//dr, after => substr($line, $+[0]), first => $-[0] == 0 && $1 =~ /\.\d\d$/};
	}
	return ($line =~ s/$number/N/gr, @numbers);
}

sub agree {
	my ($shown, $printed) = @_;
	my ($left, $right) = ($shown->{value}, $printed->{value});
	my $difference = abs($left - $right);
	my $larger = abs($left) > abs($right) ? abs $left : abs $right;
	return $difference <= $larger / 4 || $difference <= 3 if $shown->{first} || $shown->{after} =~ /^ (?:%|us|ns)/;
	return $left eq $right if $left =~ /^\d{1,2}$/;
	return 1;
}

sub is_same_line {
	my ($shown, $printed) = @_;
	my ($shown_text, @shown_numbers) = taken_apart($shown);
	my ($printed_text, @printed_numbers) = taken_apart($printed);
	return $shown_text eq $printed_text && !grep { !agree($shown_numbers[$_], $printed_numbers[$_]) } 0 .. $#shown_numbers;
}

# The index of the first shown line that is not printed, or undef.
sub first_difference {
	my ($shown, $printed) = @_;
	my ($next, $may_skip) = (0, 0);
	for my $index (0 .. $#$shown) {
		if ($shown->[$index] =~ /^\s*\.\.\.$/) {
			$may_skip = 1;
			next;
		}
		$next++ while $may_skip && $next < @$printed && !is_same_line($shown->[$index], $printed->[$next]);
		return $index unless $next < @$printed && is_same_line($shown->[$index], $printed->[$next]);
		$next++;
		$may_skip = 0;
	}
	return @$printed > $next && !$may_skip ? scalar @$shown : undef;
}

sub is_open {
	my $wanted = sprintf ":%04X", $port;
	open my $sockets, "<", "/proc/net/tcp" or die "/proc/net/tcp: $!\n";
	return scalar grep { my @fields = split; $fields[1] =~ /$wanted$/ && $fields[3] eq "0A" } <$sockets>;
}

sub wait_for_port {
	for (my $tries = 0; !is_open() && $tries < 1200; $tries++) {
		select undef, undef, undef, 0.05;
	}
}

my @commands = commands_of($page);
open my $log, ">", $session or die "$session: $!\n";
chdir $folder or die "$folder: $!\n";
my $bash = open2(my $from, my $to, "setsid", "bash", "--norc", "-c", "export PORT=$port; exec bash --norc");
END {
	kill "TERM", -$bash if $bash;
}
local $SIG{PIPE} = "IGNORE";
$to->autoflush(1);

print @commands > 20 ? "ok" : "not ok", " the page has commands to type (", scalar @commands, ")\n";
for my $typed (@commands) {
	my ($command, @printed, $status) = $typed->{command} =~ s/3333/$port/gr;
	my ($name) = $typed->{command} =~ /^([^\n]*)/;
	my $is_background = $command =~ s/& sleep \d+$/>run.log 2>&1 &/;

	print $to "{ $command\n} 2>&1 </dev/null; printf '\\ntyped: %d\\n' \$?\n";
	while (defined(my $line = <$from>)) {
		chomp $line;
		last if (($status) = $line =~ /^typed: (\d+)$/);
		push @printed, $line =~ s/\b$port\b/3333/gr;
	}
	print $log "\$ $typed->{command}\n", map { "$_\n" } @printed;
	wait_for_port() if $is_background;

	my @visible = grep { /\S/ } @printed;
	my $index = @{$typed->{shown}} ? first_difference($typed->{shown}, \@visible) : undef;
	if (!defined $status) {
		print "not ok $name: the shell has ended\n";
		exit 1;
	} elsif ($status != 0) {
		print "not ok $name: exit status $status: ", $visible[-1] // "", "\n";
		$failures++;
	} elsif (defined $index) {
		my $line = $typed->{shown}[$index];
		print "not ok $name: ", defined $line ? "not printed: $line" : "more lines than shown, such as: $visible[-1]", "\n";
		$failures++;
	} else {
		print "ok $name\n";
	}
}
close $to;
waitpid $bash, 0;
$bash = 0;
exit($failures ? 1 : 0);
