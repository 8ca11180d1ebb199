# SPDX-License-Identifier: Apache-2.0
# signoff.mk: the sign-off page; included by the Makefile, which has Q.
#
# runs.txt says what is run, results.txt what came of the last runs; tables/ has those that longer
# runs have written.

SIGNOFF := testbench/signoff
RUNS ?=
SIGNOFF_TEXT := $(SIGNOFF)/checklist.txt $(SIGNOFF)/runs.txt $(SIGNOFF)/results.txt $(SIGNOFF)/page.md

# keep_table NAME,HEADING,SENTENCE: let the page show build/NAME.md.
define keep_table
	$(Q)mkdir -p $(SIGNOFF)/tables
	$(Q)printf '### %s\n\n%s\n\n' '$(strip $2)' '$(strip $3)' | cat - build/$1.md > $(SIGNOFF)/tables/$1.md
endef

.PHONY: signoff
signoff: ## run all that SIGNOFF.md shows (hours), or RUNS="lint proofs" of it, and write the page anew
	$(Q)$(SIGNOFF)/run.sh $(SIGNOFF)/runs.txt $(SIGNOFF)/results.txt $(RUNS); status=$$?; \
	    $(MAKE) --no-print-directory signoff-page && exit $$status

.PHONY: signoff-page
signoff-page: ## write SIGNOFF.md from the checklist and the last runs
	$(Q)awk -f $(SIGNOFF)/page.awk -v tables="$(wildcard $(SIGNOFF)/tables/*.md)" $(SIGNOFF_TEXT) > SIGNOFF.md.new
	$(Q)mv SIGNOFF.md.new SIGNOFF.md
