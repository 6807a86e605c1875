# SPDX-License-Identifier: MIT
# Frames of the link in a recorded stream, written from docs/FORMAT.md, section 13, only.
package Frames;
use strict;
use warnings;
use Compress::Zlib qw(crc32);

# The content of a frame without its CRC; undef if the frame is malformed.
sub content_of {
	my ($piece) = @_;
	my ($content, $position) = ('', 0);
	while ($position < length $piece) {
		my $code = ord substr $piece, $position, 1;
		return undef if $code > length($piece) - $position;
		$content .= substr $piece, $position + 1, $code - 1;
		$position += $code;
		$content .= "\0" if $code < 255 && $position < length $piece;
	}
	return undef if length $content < 5;
	my $crc = unpack 'V', substr $content, -4, 4, '';
	return crc32($content) == $crc ? $content : undef;
}

# All valid frames, in order: head, body, and length on the line including the delimiters.
sub frames_of {
	my ($stream) = @_;
	my @frames;
	for my $piece (split /\0/, $stream) {
		my $content = content_of($piece);
		push @frames, [ord $content, substr($content, 1), length($piece) + 2] if defined $content;
	}
	return @frames;
}

sub frame_of {
	my ($content) = @_;
	my $frame = '';
	for my $piece (split /\0/, $content . pack('V', crc32($content)), -1) {
		$frame .= "\xFF" . substr $piece, 0, 254, '' while length $piece >= 254;
		$frame .= chr(length($piece) + 1) . $piece;
	}
	return "\0$frame\0";
}

# Decodes the runs of a data frame: offset and bytes.
sub data_of {
	my ($body) = @_;
	my ($offset, $bytes, $runs) = (unpack('V', substr($body, 0, 3) . "\0"), '', substr $body, 3);
	while (length $runs) {
		my $count = ord substr $runs, 0, 1, '';
		$bytes .= substr $runs, 0, $count, '';
		$bytes .= "\0" x ord substr $runs, 0, 1, '' if length $runs;
	}
	return ($offset, $bytes);
}

1;
