UNIT_TESTS += \
	tests/unit/acquire/backend/test_dump.c \
	tests/unit/acquire/backend/test_gdb.c \
	tests/unit/acquire/backend/test_gdb_packet.c \
	tests/unit/acquire/backend/test_gdb_qemu.c \
	tests/unit/acquire/backend/test_link.c \
	tests/unit/acquire/backend/test_openocd.c
UNIT_TESTS_libserialport += tests/unit/acquire/backend/test_gdb_servers.c
UNIT_TESTS_jansson += tests/unit/acquire/backend/test_qemu.c
UNIT_SUPPORT_acquire/backend += tests/unit/acquire/sources.c $(addprefix tests/unit/acquire/backend/,server.c speaker.c stub.c) tests/unit/acquire/channel/wire.c tests/unit/target/link/wire.c
