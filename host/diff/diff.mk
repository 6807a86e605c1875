# SPDX-License-Identifier: MIT
HOST_SOURCES += $(addprefix host/diff/, \
	arcs.c \
	compare.c \
	comparison.c \
	inputs.c \
	order.c \
	quantity.c \
	rows.c \
	tally.c \
	test.c \
	unit.c)
HOST_SOURCES += host/diff/baseline/baseline.c
HOST_SOURCES += $(addprefix host/diff/formats/, \
	columns.c \
	diff.c \
	folded.c \
	format.c \
	graph.c \
	head.c \
	html.c \
	html_columns.c \
	html_data.c \
	json.c \
	junit.c \
	markdown.c \
	notes.c \
	output.c \
	stacks.c \
	text.c)
HOST_SOURCES += $(addprefix host/diff/pairing/, \
	groups.c \
	inlined.c \
	names.c \
	pairing.c \
	stages.c)
HOST_SOURCES += $(addprefix host/diff/rules/, \
	judge.c \
	rule.c \
	rules.c)
