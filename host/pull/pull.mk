HOST_SOURCES += $(addprefix host/pull/, \
	control.c identity.c interrupt.c locate.c mishap.c numbered.c pull.c record.c snapshot.c trigger.c visit.c watch.c)
