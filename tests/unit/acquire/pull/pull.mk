UNIT_TESTS += \
	tests/unit/acquire/pull/test_console.c \
	tests/unit/acquire/pull/test_control.c \
	tests/unit/acquire/pull/test_identity.c \
	tests/unit/acquire/pull/test_locate.c \
	tests/unit/acquire/pull/test_pull.c \
	tests/unit/acquire/pull/test_session.c \
	tests/unit/acquire/pull/test_snapshot.c \
	tests/unit/acquire/pull/test_trigger.c \
	tests/unit/acquire/pull/test_wait.c \
	tests/unit/acquire/pull/test_watch.c
UNIT_SUPPORT_acquire/pull += tests/unit/acquire/sources.c $(addprefix tests/unit/acquire/pull/,fake.c firmware.c session.c) \
	$(addprefix tests/unit/acquire/backend/,speaker.c stub.c)
