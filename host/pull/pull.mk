HOST_SOURCES += $(addprefix host/pull/, control.c identity.c locate.c pull.c snapshot.c)
