# SPDX-License-Identifier: MIT
# bareprof for other people's builds: headers, linker fragment, library, a pkg-config file and a CMake package.
# Installed files may be moved: none of them names PREFIX.

# The library's name among others: arm_m-cortex-m4f.
PACKAGE_NAME = $(notdir $(patsubst %/,%,$(dir $(TARGET_LIBRARY))))
PACKAGE_TREE = $(DESTDIR)$(PREFIX)
package_fill = sed -e 's/@NAME@/$(PACKAGE_NAME)/g' -e 's/@VERSION@/$(VERSION)/g' \
	-e 's/@INSTRUMENT@/$(call target_pg,$(ISA),$(CPU))/g' package/$1 >$(PACKAGE_TREE)/$2

.PHONY: install-shared install-target
# The files that all libraries share.
install-shared:
	cd include && find bareprof -name '*.h' -exec install -D -m 644 {} $(abspath $(PACKAGE_TREE)/include)/{} \;
	install -D -m 644 linker/bareprof.ld $(PACKAGE_TREE)/share/bareprof/bareprof.ld

install-target: $(TARGET_LIBRARY) $(TARGET_LIBRARY:.a=.options) install-shared ## Install libbareprof.a for ISA=... CPU=...
	install -D -m 644 -t $(PACKAGE_TREE)/lib/bareprof/$(PACKAGE_NAME) $(TARGET_LIBRARY) $(TARGET_LIBRARY:.a=.options)
	install -D -m 644 -t $(PACKAGE_TREE)/lib/cmake/bareprof package/bareprof-config.cmake
	install -d $(PACKAGE_TREE)/lib/pkgconfig
	$(call package_fill,bareprof-config-version.cmake.in,lib/cmake/bareprof/bareprof-config-version.cmake)
	$(call package_fill,bareprof.pc.in,lib/pkgconfig/bareprof-$(PACKAGE_NAME).pc)
