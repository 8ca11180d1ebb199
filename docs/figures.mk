# SPDX-License-Identifier: Apache-2.0
# figures.mk: figures of papers (`roundcast draw`), plots (`roundcast plot`) and pictures (awk) of
# the documents; included by the Makefile, which has Q and BUILD.

.PHONY: figures
figures: tools-demo tools-figures ### draw the figures of the papers for docs/figures/README.md
	@$(MAKE) --no-print-directory $(BUILD)/roundcast
	$(Q)ROUNDCAST=$(BUILD)/roundcast docs/figures/draw.sh svg docs/figures

.PHONY: pictures
pictures: tools-demo ### draw the pictures of the pages in docs, in docs/pictures
	@$(MAKE) --no-print-directory $(BUILD)/roundcast
	$(Q)ROUNDCAST=$(BUILD)/roundcast docs/pictures/draw.sh docs/pictures

.PHONY: plots
plots: ### draw the plots of docs/plots.md and note the checksums of their numbers
plots: tools-build tools-plots
	@$(MAKE) --no-print-directory $(BUILD)/roundcast
	$(Q)mkdir -p $(BUILD)/plots && ROUNDCAST=$(BUILD)/roundcast docs/plots/draw.sh dat $(BUILD)/plots
	$(Q)cd $(BUILD)/plots && cksum ./*.dat > "$(CURDIR)/docs/plots/numbers.cksum"
	$(Q)ROUNDCAST=$(BUILD)/roundcast docs/plots/draw.sh svg docs/plots
