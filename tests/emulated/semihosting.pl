# SPDX-License-Identifier: MIT
# semihosting.pl LOG MEMORY ADDRESS: checks that LOG holds exactly two transfers of the bytes of MEMORY, which lie at ADDRESS
# (hexadecimal). Frames are decoded by docs/FORMAT.md, section 13.
use strict;
use warnings;
use Compress::Zlib qw(crc32);

sub slurp {
	open my $file, '<:raw', $_[0] or die "$_[0]: $!\n";
	local $/;
	return <$file>;
}

# The decoded content of a frame, whose CRC must be right.
sub content_of {
	my ($stuffed) = @_;
	my $content = '';
	while (length $stuffed) {
		my $code = ord substr $stuffed, 0, 1, '';
		die "a piece is cut\n" if length $stuffed < $code - 1;
		$content .= substr $stuffed, 0, $code - 1, '';
		$content .= "\0" if $code != 255 && length $stuffed;
	}
	my ($body, $crc) = unpack 'a' . (length($content) - 4) . 'V', $content;
	die "the CRC of a frame does not hold\n" unless crc32($body) == $crc;
	return $body;
}

sub unpacked {
	my ($runs) = @_;
	my $bytes = '';
	while (length $runs) {
		my $count = ord substr $runs, 0, 1, '';
		$bytes .= substr $runs, 0, $count, '';
		$bytes .= "\0" x ord substr $runs, 0, 1, '' if length $runs;
	}
	return $bytes;
}

my ($log, $memory, $address) = (slurp($ARGV[0]), slurp($ARGV[1]), hex $ARGV[2]);
my ($transmissions, $received) = (0, '');
for my $frame ($log =~ /\G\0([^\0]+)\0/g) {
	my ($head, $body) = unpack 'C a*', content_of($frame);
	if ($head == 0x80) {
		my ($version, $last, $longest, $size, $start) = unpack 'C C v V Q<', substr($body, 0, 7) . "\0" . substr $body, 7;
		die "the identity is another one\n"
			unless $version == 1 && $last == 0 && $size == length $memory && $start == $address;
		die "a transmission is not complete\n" unless $received eq '' || $received eq $memory;
		$received = '';
		$transmissions++;
	} elsif ($head == 0x90) {
		die "data are not in order\n" unless unpack('V', substr($body, 0, 3) . "\0") == length $received;
		$received .= unpacked(substr $body, 3);
	} else {
		die sprintf "a frame with head 0x%02x\n", $head;
	}
}
die "there is more than frames\n" unless $log =~ /^(\0[^\0]+\0)+$/;
die "what was sent is not the memory\n" unless $received eq $memory;
die "$transmissions transmissions, not 2\n" unless $transmissions == 2;
