# An interpreter: one function that jumps to itself for most of the time, hundreds of others, soft floating point on M3 and RV32.
REAL_PACKAGE := lua5.4
REAL_SOURCES := $(addprefix src/,lapi.c lauxlib.c lbaselib.c lcode.c lcorolib.c lctype.c ldebug.c ldo.c ldump.c lfunc.c lgc.c \
	llex.c lmathlib.c lmem.c lobject.c lopcodes.c lparser.c lstate.c lstring.c lstrlib.c ltable.c ltablib.c ltm.c lundump.c \
	lvm.c lzio.c)
REAL_FLAGS := -Isrc '-Dluai_makeseed(state)=0x5eed'
