# SPDX-License-Identifier: Apache-2.0
# figures.mk: the papers' figures, drawn by `roundcast draw`, the plots of docs, by
# `roundcast plot`, and their pictures, by awk; included by the Makefile, which has Q and BUILD.

.PHONY: figures
figures: tools-demo tools-figures ## draw the papers' figures, which docs/figures/README.md shows
	@$(MAKE) --no-print-directory $(BUILD)/roundcast
	$(Q)ROUNDCAST=$(BUILD)/roundcast docs/figures/draw.sh svg docs/figures

.PHONY: pictures
pictures: tools-demo ## draw the pictures of docs, docs/pictures, which pages show
	@$(MAKE) --no-print-directory $(BUILD)/roundcast
	$(Q)ROUNDCAST=$(BUILD)/roundcast docs/pictures/draw.sh docs/pictures

.PHONY: plots
plots: tools-build tools-plots ## draw the plots that docs/plots.md shows, and note the checksums of their numbers
	@$(MAKE) --no-print-directory $(BUILD)/roundcast
	$(Q)mkdir -p $(BUILD)/plots && ROUNDCAST=$(BUILD)/roundcast docs/plots/draw.sh dat $(BUILD)/plots
	$(Q)cd $(BUILD)/plots && cksum ./*.dat > "$(CURDIR)/docs/plots/numbers.cksum"
	$(Q)ROUNDCAST=$(BUILD)/roundcast docs/plots/draw.sh svg docs/plots
