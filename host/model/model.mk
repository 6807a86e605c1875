HOST_SOURCES += \
	host/model/filters.c \
	host/model/profile.c
