UNIT_TESTS += \
	tests/unit/target/backend/test_cortex.c \
	tests/unit/target/backend/test_probe_target.c \
	tests/unit/target/backend/test_dump.c \
	tests/unit/target/backend/test_gdb.c \
	tests/unit/target/backend/test_gdb_packet.c \
	tests/unit/target/backend/test_gdb_qemu.c \
	tests/unit/target/backend/test_link.c \
	tests/unit/target/backend/test_openocd.c
UNIT_TESTS_libserialport += tests/unit/target/backend/test_gdb_servers.c
UNIT_TESTS_jansson += tests/unit/target/backend/test_qemu.c
UNIT_SUPPORT_target/backend += tests/unit/target/sources.c $(addprefix tests/unit/target/backend/,server.c speaker.c stub.c) tests/unit/target/channel/wire.c tests/unit/library/link/wire.c \
	$(addprefix tests/unit/target/dap/,bench.c fake.c) $(MODEL_TARGET)
