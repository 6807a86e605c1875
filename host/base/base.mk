# SPDX-License-Identifier: MIT
HOST_SOURCES += $(addprefix host/base/, \
	clock.c \
	status.c \
	wait.c)
HOST_SOURCES += $(addprefix host/base/file/, \
	inputs.c \
	read.c \
	resolve.c \
	user.c \
	write.c)
HOST_SOURCES += $(addprefix host/base/stats/, \
	adjust.c \
	beta.c \
	beta_quantile.c \
	compare.c \
	counts.c \
	runs.c)
HOST_SOURCES += $(addprefix host/base/text/, \
	console.c \
	demangle.c \
	demangle_cost.c \
	demangler.c \
	escape.c \
	json.c \
	text.c)
