HOST_SOURCES += $(addprefix host/pull/, control.c identity.c interrupt.c locate.c mishap.c pull.c snapshot.c trigger.c)
