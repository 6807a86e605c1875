# Few functions, long loops: almost no calls, hot code in a handful of lines.
REAL_PACKAGE := zlib
REAL_SOURCES := adler32.c compress.c crc32.c deflate.c inffast.c inflate.c inftrees.c trees.c uncompr.c zutil.c
REAL_FLAGS :=
