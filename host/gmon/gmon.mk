HOST_SOURCES += \
	host/gmon/add_up.c \
	host/gmon/from_capture.c \
	host/gmon/read.c \
	host/gmon/read_bsd.c \
	host/gmon/to_capture.c \
	host/gmon/unit.c \
	host/gmon/write.c
