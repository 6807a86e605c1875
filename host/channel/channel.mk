HOST_SOURCES += $(addprefix host/channel/, answers.c client.c clock.c frame.c identity.c pace.c recording.c requests.c sending.c \
	session.c silence.c source.c tcp.c window.c)
