UNIT_TESTS += tests/unit/channel/test_frame.c
UNIT_SUPPORT_channel += tests/unit/channel/wire.c
