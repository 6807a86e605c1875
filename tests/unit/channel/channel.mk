UNIT_TESTS += $(addprefix tests/unit/channel/test_,client.c frame.c)
UNIT_SUPPORT_channel += $(addprefix tests/unit/channel/,fake.c wire.c)
