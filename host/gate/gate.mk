# SPDX-License-Identifier: MIT
HOST_SOURCES += host/gate/gate.c host/gate/judge.c host/gate/limit.c host/gate/pattern.c host/gate/rule.c
