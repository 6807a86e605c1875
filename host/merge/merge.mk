HOST_SOURCES += \
	host/merge/merge.c \
	host/merge/sum.c \
	host/merge/tally.c
