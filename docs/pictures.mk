# SPDX-License-Identifier: MIT
# The pictures of README.md and docs/: `make pictures` draws them, and suite `pictures` checks that they are up to date. The
# picture docs/NAME.svg shows the command PICTURE_COMMAND_NAME, typed in a folder where PICTURE_FIRMWARE_NAME is demo.elf and
# its capture demo.bprof. QEMU repeats exactly, so a picture is the same each time.
#
# A picture of another kind is a name in PICTURES and a rule for build/pictures/NAME.EXTENSION.

PICTURES := docs/report.svg docs/annotate.svg
PICTURE_FIRMWARE_report := demo
PICTURE_COMMAND_report := report --top=5 demo.elf demo.bprof
PICTURE_FIRMWARE_annotate := demo+GRANULES-2048+GRANULE-2
PICTURE_COMMAND_annotate := annotate --function=crc32 demo.elf demo.bprof

PICTURE_BOARD := mps2-an385
DRAWN := $(PICTURES:docs/%=build/pictures/%)

.PRECIOUS: build/pictures/%/demo.elf build/pictures/%/demo.bprof
build/pictures/%/demo.elf: build/firmware/$(PICTURE_BOARD)/$$(PICTURE_FIRMWARE_$$*).elf docs/pictures.mk
	@mkdir -p $(@D)
	$Qcp $< $@

build/pictures/%/demo.bprof: build/pictures/%/demo.elf build/bareprof tests/qemu/run.sh
	$(call say,RUN,$@)
	$Qtests/qemu/run.sh --until "demo: done" $(PICTURE_BOARD) $< \
		build/bareprof pull "gdb:127.0.0.1:{port}" -e $< -o $@ 2>$(@D)/errors || { cat $(@D)/errors >&2; exit 1; }

build/pictures/%.svg: build/pictures/%/demo.bprof docs/picture.pl docs/pictures.mk
	$(call say,DRAW,$@)
	$Qperl docs/picture.pl build/bareprof $(<D) $(PICTURE_COMMAND_$*) >$@

.PHONY: copy-pictures
copy-pictures: $(DRAWN)
	@cp $^ docs

RESULTS_pictures := $(PICTURES:docs/%=build/results/pictures/%) build/results/pictures/listed
build/results/pictures/listed: always
	@$(RECORD) $@ tests/check/lists.sh pictures docs '*.[sp][vn]g' $(PICTURES)
$(PICTURES:docs/%=build/results/pictures/%): build/results/pictures/%: build/pictures/% tests/check/picture.sh always
	@$(RECORD) $@ tests/check/picture.sh $< docs/$*
