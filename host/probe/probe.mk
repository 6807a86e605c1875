HOST_SOURCES += $(addprefix host/probe/, access.c dump.c gdb.c gdb_packet.c gdb_remote.c link.c)
