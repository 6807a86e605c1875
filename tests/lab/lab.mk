# SPDX-License-Identifier: MIT
# A target behind two wires, to be linked with what moves them; and a firmware that it gives the memory of.
LAB_TARGET := $(addprefix tests/lab/,access_port.c core.c debug_port.c memory.c qemu.c setup.c swd.c)
