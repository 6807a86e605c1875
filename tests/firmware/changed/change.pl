# SPDX-License-Identifier: MIT
# change.pl FILE: prints a source of the demo with the changes that are planted in it. Fails where one does not apply.
use strict;
use warnings FATAL => 'all';

# For each source: the text to find, how often it occurs, and its replacement.
my %changes = (
	# biquad_run() gets another name, and moves after the next function.
	'filter.c' => [
		[1, qr/(static void biquad_run\(.*?\n}\n\n)(.*?\n}\n\n)/s, sub { "$2$1" }],
		[3, qr/biquad_run/, sub { 'section_run' }],
	],
	# find_records() goes over the filtered values twice, and finds the same records. send_message() becomes a part of its
	# caller.
	'station.c' => [
		[1, qr/^(\trecord_count = 0;\n)(\tfor .*?;\n)/ms, sub {
			"\tfor (int pass = 0; pass < 2; pass++) {\n\t__asm__ volatile(\"\" ::: \"memory\");\n$1$2\t}\n"
		}],
		[1, qr/^static (?=void send_message)/m, sub { 'static inline __attribute__((always_inline)) ' }],
	],
);

my ($path) = @ARGV;
my ($name) = $path =~ m{([^/]+)$};
open my $file, '<', $path or die "$path: $!\n";
my $text = join '', <$file>;
for (@{$changes{$name} // die "change.pl: no change of $path\n"}) {
	my ($times, $from, $to) = @$_;
	my $found = $text =~ s/$from/$to->()/ge;
	die "change.pl: $path has ", $found || 'none', ", not $times of $from\n" unless $found == $times;
}
print $text;
