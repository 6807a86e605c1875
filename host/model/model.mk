HOST_SOURCES += \
	host/model/profile.c
