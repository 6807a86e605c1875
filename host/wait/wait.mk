HOST_SOURCES += $(addprefix host/wait/, clock.c wait.c)
