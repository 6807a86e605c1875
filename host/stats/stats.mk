# SPDX-License-Identifier: MIT
HOST_SOURCES += host/stats/beta.c host/stats/beta_quantile.c
