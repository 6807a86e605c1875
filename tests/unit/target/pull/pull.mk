UNIT_TESTS += \
	tests/unit/target/pull/test_console.c \
	tests/unit/target/pull/test_control.c \
	tests/unit/target/pull/test_identity.c \
	tests/unit/target/pull/test_locate.c \
	tests/unit/target/pull/test_pull.c \
	tests/unit/target/pull/test_session.c \
	tests/unit/target/pull/test_snapshot.c \
	tests/unit/target/pull/test_trigger.c \
	tests/unit/target/pull/test_wait.c \
	tests/unit/target/pull/test_watch.c
UNIT_SUPPORT_target/pull += tests/unit/target/sources.c $(addprefix tests/unit/target/pull/,fake.c firmware.c session.c) \
	$(addprefix tests/unit/target/backend/,speaker.c stub.c)
