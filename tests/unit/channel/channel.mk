UNIT_TESTS += $(addprefix tests/unit/channel/test_,client.c client_end.c frame.c pace.c recording.c window.c)
UNIT_SUPPORT_channel += $(addprefix tests/unit/channel/,fake.c wire.c)
