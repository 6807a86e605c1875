# SPDX-License-Identifier: MIT
# shift_rows.pl TABLE OUTPUT: an unwind table whose rows begin 4 bytes later, except at the beginning of a page.
use strict;
use warnings;
use Compress::Zlib qw(crc32);

my $bytes = do { local $/; open my $file, '<:raw', $ARGV[0] or die "$ARGV[0]: $!\n"; <$file> };
my ($pages, $recipes) = unpack 'x16 L< L<', $bytes;
for (my $at = 0x20 + 2 * $pages; $at < $recipes; $at += 2) {
	my $row = unpack 'S<', substr $bytes, $at, 2;
	$row += 2 << 9 if $row >> 9 != 0 && $row >> 9 < 126;
	substr $bytes, $at, 2, pack 'S<', $row;
}
substr $bytes, 4, 4, pack 'L<', crc32(substr $bytes, 8);
open my $output, '>:raw', $ARGV[1] or die "$ARGV[1]: $!\n";
print $output $bytes;
