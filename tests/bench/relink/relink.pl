# SPDX-License-Identifier: MIT
# relink.pl N BOARD/FIRMWARE.link...: links each firmware N times with random padding before each of its functions, runs
# it in QEMU, and averages the instructions of a call, from the call site's push {lr} (mv a0,ra) to the return into the
# function, over all its calls, with new and with known arcs. Prints a row per firmware as a comment, and the figures
# that tests/bench/budgets.txt has limits for:
#	average-call       of all N
#	average-call-p90   the 90th percentile
#	average-call-max   the largest
use strict;
use warnings;
use File::Path qw(make_path);

# The call site hands the return address over in one instruction and calls in another.
use constant CALL_SITE => 2;
use constant PADDING_MAX => 31;
use constant JOBS => 2;
# The functions that run to record a call.
my $HOOKS = qr/^(__gnu_mcount_nc|_mcount|bareprof_arc|arc_count|bareprof_counter_increment|bareprof_state_change)$/;
my $ENTRY = qr/^(__gnu_mcount_nc|_mcount)$/;

sub slurp {
	open my $file, '<', $_[0] or die "$_[0]: $!\n";
	return <$file>;
}

sub spew {
	my ($path, $text) = @_;
	open my $file, '>', $path or die "$path: $!\n";
	print $file $text;
	close $file or die "$path: $!\n";
}

sub run {
	system(@_) == 0 or die "@_ failed\n";
}

# The sections of functions of the firmware's own objects, in the order in which they are linked.
sub functions_of {
	my ($link) = @_;
	my @sections;
	for my $object (grep { m{/objects/.*\.o$} } split ' ', $link) {
		push @sections, map { /^\s*\d+ (\.text\.\S+)/ && $1 !~ /^\.text\.bareprof\./ ? $1 : () } qx(objdump -h $object);
	}
	die "$link: no functions in sections of their own\n" unless @sections;
	return @sections;
}

# xorshift32 (Marsaglia), restarted for each firmware: the same paddings on each machine.
my $random;
sub random_below {
	$random ^= ($random << 13) & 0xFFFFFFFF;
	$random ^= $random >> 17;
	$random ^= ($random << 5) & 0xFFFFFFFF;
	return $random % $_[0];
}

# sections.ld with the functions in a list of their own, padding before each.
sub padded_script {
	my (@functions) = @_;
	my $list = join '', map { sprintf "\t\t. += %d;\n\t\t*(%s)\n", 2 * random_below(PADDING_MAX + 1), $_ } @functions;
	my $script = join '', slurp('linker/sections.ld');
	$script =~ s/^(?=\t\t\*\(\.text \.text\.\*\))/$list/m or die "linker/sections.ld has no .text\n";
	return $script;
}

sub symbols_of {
	my ($elf) = @_;
	my (@functions, %address);
	for (qx(readelf -sW $elf)) {
		my (undef, $value, $size, $type, undef, undef, undef, $name) = split;
		next unless defined $name && $type eq 'FUNC';
		my $start = hex($value) & ~1;
		$address{$name} = $start;
		push @functions, [$start, $start + $size] if $name =~ $HOOKS;
	}
	return (\%address, @functions);
}

# The average of one link.
sub measure {
	my ($board, $elf, $counts) = @_;
	my ($address, @hooks) = symbols_of($elf);
	my ($entry) = grep { $_ =~ $ENTRY } keys %$address;
	die "$elf: no calls are recorded\n" unless defined $entry;
	my $plugin = sprintf 'build/qemu/count.so,output=%s,start=%x,stop=%x', $counts, @$address{qw(bareprof_start bareprof_stop)};
	run('tests/qemu/run.sh', '--until', 'demo: done', '--plugin', $plugin, $board, $elf);
	my ($executed, $calls) = (0, 0);
	for (slurp($counts)) {
		my ($at, $count) = (split)[0, 1];
		$at = hex $at;
		$calls = $count if $at == $address->{$entry};
		$executed += $count if grep { $at >= $_->[0] && $at < $_->[1] } @hooks;
	}
	die "$elf: no calls\n" unless $calls;
	return $executed / $calls + CALL_SITE;
}

# Links and measures one after the other, in JOBS processes, each of which writes its averages to a file.
sub averages_of {
	my ($board, $link, $folder, $count) = @_;
	my @functions = functions_of($link);
	$random = 2463534242;
	my @scripts = map { padded_script(@functions) } 1 .. $count;
	my @children;
	for my $job (0 .. JOBS - 1) {
		my $child = fork // die "fork: $!\n";
		push @children, $child;
		next if $child != 0;
		my $place = "$folder/$job";
		make_path($place);
		my @averages;
		for (my $i = $job; $i < $count; $i += JOBS) {
			spew("$place/sections.ld", $scripts[$i]);
			my ($compiler, $rest) = split ' ', $link, 2;
			run("$compiler -L$place $rest -o $place/firmware.elf");
			push @averages, measure($board, "$place/firmware.elf", "$place/counts");
		}
		spew("$place/averages", join '', map { "$_\n" } @averages);
		exit 0;
	}
	for (@children) {
		waitpid $_, 0;
		die "a link or a run failed\n" if $?;
	}
	return map { slurp("$folder/$_/averages") } 0 .. JOBS - 1;
}

my ($count, @links) = @ARGV;
die "usage: relink.pl N BOARD/FIRMWARE.link...\n" unless @links && $count > 0;
printf "# %-60s %6s %6s %6s %6s %6s\n", "instructions per call, $count links", qw(mean least median 90% most);
for my $file (@links) {
	my ($board, $firmware) = $file =~ m{([^/]+)/([^/]+)\.link$} or die "$file: not BOARD/FIRMWARE.link\n";
	my ($link) = slurp($file);
	chomp $link;
	my @averages = sort { $a <=> $b } averages_of($board, $link, $file =~ s/\.link$//r, $count);
	my $mean = 0;
	$mean += $_ / @averages for @averages;
	my $p90 = $averages[int(0.9 * @averages + 0.999) - 1];
	my $where = "$board/" . $firmware =~ s/\+.*//r;
	printf "# %-60s %6.1f %6.1f %6.1f %6.1f %6.1f\n", "$board $firmware", $mean, $averages[0], $averages[@averages / 2],
		$p90, $averages[-1];
	printf "average-call %s %.1f\naverage-call-p90 %s %.1f\naverage-call-max %s %.1f\n", $where, $mean, $where, $p90,
		$where, $averages[-1];
}
