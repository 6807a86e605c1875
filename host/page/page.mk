# SPDX-License-Identifier: MIT
HOST_SOURCES += host/page/page.c build/page/files.c

# Embeds the page, written in HTML, CSS and JavaScript, into C, with the hashes that its policy names. The page has the scripts as
# one script, in this order.
PAGE_ASSETS := $(addprefix host/page/assets/,page.html page.css)
PAGE_SCRIPTS := $(addprefix host/page/assets/,base.js table.js flame.js neighbourhood.js source.js comparison.js profile.js start.js)
page_hash = $$(cat $1 | sha256sum | head -c 64 | tr a-f A-F | basenc --base16 -d | base64)
build/page/page.js: $(PAGE_SCRIPTS) host/page/page.mk
	@mkdir -p $(@D)
	$Qcat $(PAGE_SCRIPTS) >$@
build/page/files.c: host/embed.awk $(PAGE_ASSETS) build/page/page.js
	@mkdir -p $(@D)
	$(call say,MAKE,$@)
	$Q{ awk -f $< -v header=page/files.h $(PAGE_ASSETS) build/page/page.js && \
		printf 'const char page_style_hash[] = "%s", page_script_hash[] = "%s";\n' \
		"$(call page_hash,host/page/assets/page.css)" "$(call page_hash,build/page/page.js)"; } >$@
