# SPDX-License-Identifier: MIT
HOST_SOURCES += \
	host/stats/adjust.c \
	host/stats/beta.c \
	host/stats/beta_quantile.c \
	host/stats/compare.c \
	host/stats/counts.c \
	host/stats/runs.c \
	host/stats/spread.c \
	host/stats/value.c
