# SPDX-License-Identifier: Apache-2.0
# view.mk: HTML pages of all algorithms and networks, and screenshots; included by the Makefile,
# which has Q and BUILD.

GALLERY := $(BUILD)/gallery

# Each command is one shell script, so that a page that fails is reported by its name.
.PHONY: gallery
gallery: ### write a page for each algorithm and network, with an index, to build/gallery
gallery: tools-build
	@$(MAKE) --no-print-directory --quiet $(BUILD)/roundcast
	$(Q)mkdir -p $(GALLERY)
	$(Q)awk '!/^#/ { name = $$1; $$1 = ""; print name $$0 }' view/gallery.txt | while read -r name arguments; do \
	    $(BUILD)/roundcast run $$arguments --engine csim --view $(GALLERY)/$$name.html > /dev/null || \
	        { echo "view/gallery.txt: $$name failed" >&2; exit 1; }; \
	done
	$(Q)$(BUILD)/roundcast view --index $$(awk '!/^#/ { print "$(GALLERY)/" $$1 ".html" }' view/gallery.txt) \
	    -o $(GALLERY)/index.html

.PHONY: screenshots
screenshots: tools-browser gallery ### take the screenshots of docs/view.md, in Chromium
	$(Q)/usr/bin/python3 tests/browser/screenshots.py $(GALLERY) docs/pictures
