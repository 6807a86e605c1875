UNIT_TESTS += \
	tests/unit/pull/test_command.c \
	tests/unit/pull/test_console.c \
	tests/unit/pull/test_control.c \
	tests/unit/pull/test_identity.c \
	tests/unit/pull/test_locate.c \
	tests/unit/pull/test_pull.c \
	tests/unit/pull/test_session.c \
	tests/unit/pull/test_snapshot.c \
	tests/unit/pull/test_trigger.c \
	tests/unit/pull/test_wait.c \
	tests/unit/pull/test_watch.c
UNIT_SUPPORT_pull += tests/unit/pull/fake.c tests/unit/pull/firmware.c tests/unit/pull/visit.c tests/unit/probe/stub.c
