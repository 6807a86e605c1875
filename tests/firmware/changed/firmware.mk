# `ports`, the demo sampled at random distances, as it is after some changes (change.pl): tests/diff/ holds that `bareprof
# diff` finds these and no others.
CHANGED := filter.c station.c
FIRMWARE_SOURCES := $(patsubst tests/firmware/demo/%,%,$(wildcard tests/firmware/demo/*.c))
FIRMWARE_SOURCES := $(foreach source,$(FIRMWARE_SOURCES),$(if $(filter \
	$(source),$(CHANGED)),build/changed,tests/firmware/demo)/$(source)) $(wildcard tests/firmware/ports/*.c)
FIRMWARE_FLAGS := -Itests/firmware/demo -Itests/firmware/calls -DSAMPLING_START=port_sampling_start

$(CHANGED:%=build/changed/%): build/changed/%: tests/firmware/demo/% tests/firmware/changed/change.pl
	@mkdir -p $(@D)
	$(call say,EDIT,$@)
	$Qperl tests/firmware/changed/change.pl $< >$@
