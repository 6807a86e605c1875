# SPDX-License-Identifier: MIT
# The pictures of README.md and docs/: `make pictures` draws them, and suite `pictures` checks that they are up to date. The
# picture docs/NAME.svg shows the command PICTURE_COMMAND_NAME, typed in a folder where PICTURE_FIRMWARE_NAME is demo.elf and
# its capture demo.bprof. QEMU repeats exactly, so a picture is the same each time.
#
# docs/page-WIDTH.png shows the page of `report --html` in a window of PICTURE_WINDOW_page-WIDTH, at the address
# PICTURE_ADDRESS_page-WIDTH. It depends on the browser and its fonts, so only its size is checked.
#
# A picture of another kind is a name in PICTURES and a rule for build/pictures/NAME.EXTENSION.

PICTURES := docs/report.svg docs/annotate.svg docs/page-1400.png docs/page-800.png
PICTURE_WINDOW_page-1400 := 1400,1000
PICTURE_ADDRESS_page-1400 := \#
PICTURE_WINDOW_page-800 := 800,1640
PICTURE_ADDRESS_page-800 := \#name=filter_window
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

build/pictures/page/demo.html: build/pictures/report/demo.bprof build/bareprof
	@mkdir -p $(@D)
	$Qcd $(<D) && $(CURDIR)/build/bareprof report --html=$(CURDIR)/$@ --directory=$(CURDIR) demo.elf demo.bprof >/dev/null
build/pictures/page-%.png: build/pictures/page/demo.html docs/pictures.mk tests/browser/screenshot.sh
	$(call say,DRAW,$@)
	$Qtests/browser/screenshot.sh '$<' '$(subst \,,$(PICTURE_ADDRESS_page-$*))' $(PICTURE_WINDOW_page-$*) $@

.PHONY: copy-pictures
copy-pictures: $(DRAWN)
	@cp $^ docs

RESULTS_pictures := $(PICTURES:docs/%=build/results/pictures/%) build/results/pictures/listed
build/results/pictures/listed: always
	@$(RECORD) $@ tests/check/lists.sh pictures docs '*.[sp][vn]g' $(PICTURES)
$(PICTURES:docs/%=build/results/pictures/%): build/results/pictures/%: build/pictures/% tests/check/picture.sh always
	@$(RECORD) $@ tests/check/picture.sh $< docs/$*
