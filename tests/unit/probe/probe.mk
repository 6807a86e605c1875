UNIT_TESTS += \
	tests/unit/probe/test_debug_port.c \
	tests/unit/probe/test_dump.c \
	tests/unit/probe/test_gdb.c \
	tests/unit/probe/test_gdb_end.c \
	tests/unit/probe/test_gdb_packet.c \
	tests/unit/probe/test_gdb_qemu.c \
	tests/unit/probe/test_link.c \
	tests/unit/probe/test_openocd.c \
	tests/unit/probe/test_recorded.c
UNIT_TESTS_libserialport += tests/unit/probe/test_gdb_servers.c
UNIT_TESTS_jansson += tests/unit/probe/test_qemu.c
UNIT_SUPPORT_probe += $(addprefix tests/unit/probe/,counter.c script.c server.c speaker.c stub.c) tests/unit/channel/wire.c \
	$(addprefix tests/unit/dap/,bench.c fake.c) $(LAB_TARGET)
