# SPDX-License-Identifier: MIT
# footprint.pl WHERE ELF DOUBLED MORE_ARCS [LINKED SLICED TREE]: the figures of a linked firmware, with the linker's map
# next to it. It has 8 arcs; in DOUBLED all tables have twice the slots, in MORE_ARCS only the table of arcs; LINKED has a
# link, SLICED keeps slices, TREE counts paths.
#	text       the library's share of the recorder's section, and its constants
#	config     bareprof_layout: the configuration of the firmware, in flash
#	ram        the block without its tables, .data and .bss of the library's objects
#	arc        a slot of the table of arcs
#	text-link  text that the link adds
#	ram-link   .data and .bss that it adds, without the frame, which is the firmware's
#	text-slices text that slices add
#	text-paths text that a path tree adds
use strict;
use warnings;

my ($where, $elf, $doubled, $more_arcs, $linked, $sliced, $tree) = @ARGV;

sub symbols_of {
	my ($file) = @_;
	my %symbols;
	open my $input, '-|', 'readelf', '-sW', $file or die "readelf: $!\n";
	while (<$input>) {
		my (undef, $value, $size, $type, undef, undef, undef, $name) = split;
		$symbols{$name} = {value => hex $value, size => $size} if defined $name && $value =~ /^[0-9a-f]+$/;
	}
	return \%symbols;
}

sub block_size { return symbols_of($_[0])->{bareprof_block}{size} }

# Bytes of the sections that came from the library or the files of `make drop-in`, by the first word of their names, and
# of the recorder's section from elsewhere, such as the board's interrupt handler, with the bytes that align it. A long
# name is on a line of its own.
sub sections_of {
	my ($map) = @_;
	my (%library, $name);
	my ($others, $fill, $is_memory_map) = (0, 0, 0);
	open my $input, '<', $map or die "$map: $!\n";
	while (<$input>) {
		$is_memory_map ||= /^Linker script and memory map/;
		next unless $is_memory_map;
		$name = $1 if /^ (\.\S+|COMMON)/;
		$fill = hex $1 if /^ \*fill\*\s+0x[0-9a-f]+\s+0x([0-9a-f]+)/;
		my ($size, $file) = /^ (?:\S+)?\s+0x[0-9a-f]+\s+0x([0-9a-f]+) (\S+)$/ or next;
		my ($kind) = $name =~ /^(\.text\.bareprof|\.[a-zA-Z]+|COMMON)/ or next;
		if ($file =~ m{libbareprof\.a\(|/drop-in/bareprof}) {
			$library{$kind} += hex $size;
		} elsif ($kind eq '.text.bareprof') {
			$others += $fill + hex $size;
		}
		$fill = 0;
	}
	return (\%library, $others);
}

sub sum { my $sum = 0; $sum += $_ // 0 for @_; return $sum }

# Bytes of the library in a firmware: text with constants, and RAM of its objects.
sub library_of {
	my ($file) = @_;
	my $symbols = symbols_of($file);
	my ($library, $others) = sections_of($file =~ s/\.elf$/.map/r);
	die "$file: its map names nothing of the library\n" unless $library->{'.text.bareprof'};
	my $code = $symbols->{bareprof_code_end}{value} - $symbols->{bareprof_code_start}{value};
	return ($code - $others + sum(@$library{qw(.text .rodata .srodata)}),
		sum(@$library{qw(.data .sdata .bss .sbss COMMON)}));
}

my ($text, $ram) = library_of($elf);
my $block = block_size($elf);
printf "text %s %d\n", $where, $text;
printf "config %s %d\n", $where, symbols_of($elf)->{bareprof_layout}{size};
printf "ram %s %d\n", $where, 2 * $block - block_size($doubled) + $ram;
printf "arc %s %d\n", $where, (block_size($more_arcs) - $block) / 8;
if (defined $linked) {
	my ($linked_text, $linked_ram) = library_of($linked);
	printf "text-link %s %d\n", $where, $linked_text - $text;
	printf "ram-link %s %d\n", $where, $linked_ram - $ram;
}
if (defined $sliced) {
	my ($sliced_text) = library_of($sliced);
	printf "text-slices %s %d\n", $where, $sliced_text - $text;
}
if (defined $tree) {
	my ($tree_text) = library_of($tree);
	printf "text-paths %s %d\n", $where, $tree_text - $text;
}
