# SPDX-License-Identifier: Apache-2.0
# pages.mk: the pages that commands write; included by the Makefile, which has Q and BUILD.
# tests/cli/pages.sh checks that they are up to date.

.PHONY: docs
docs: tools-build ## write docs/cli.md from --help and the error codes
	@$(MAKE) --no-print-directory --quiet $(BUILD)/roundcast
	$(Q)ROUNDCAST=$(BUILD)/roundcast docs/cli.sh > $(BUILD)/cli.md
	$(Q)mv $(BUILD)/cli.md docs/cli.md

.PHONY: results
results: ### run what docs/results.md shows, on all engines, and write that page
results: tools-demo tools-synth
	@$(MAKE) --no-print-directory --quiet $(BUILD)/roundcast
	$(Q)ROUNDCAST=$(BUILD)/roundcast docs/results.sh all > $(BUILD)/results.md
	$(Q)mv $(BUILD)/results.md docs/results.md

.PHONY: combinations
combinations: ### run every combination of options on csim and write docs/combinations.md
combinations: tools-build tools-check
	@$(MAKE) --no-print-directory --quiet $(BUILD)/unit/test_product
	$(Q)ROUNDCAST_EXHAUSTIVE=1 ROUNDCAST_COMBINATIONS=docs/combinations.md $(BUILD)/unit/test_product
