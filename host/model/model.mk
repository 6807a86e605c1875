HOST_SOURCES += \
	host/model/filters.c \
	host/model/losses.c \
	host/model/profile.c
