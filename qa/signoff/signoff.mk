# SPDX-License-Identifier: Apache-2.0
# signoff.mk: the sign-off page; included by the Makefile, which defines Q.
#
# runs.txt lists the runs and results.txt records their last results; tables/ contains the tables
# that longer runs write. The page is written after each run, because tests compare it.

SIGNOFF := qa/signoff
RUNS ?=
SIGNOFF_TEXT := $(SIGNOFF)/checklist.txt $(SIGNOFF)/runs.txt $(SIGNOFF)/results.txt $(SIGNOFF)/page.md

# keep_table NAME,HEADING,SENTENCE: store build/NAME.md for the page.
define keep_table
	$(Q)mkdir -p $(SIGNOFF)/tables
	$(Q)printf '### %s\n\n%s\n\n' '$(strip $2)' '$(strip $3)' | cat - build/$1.md > $(SIGNOFF)/tables/$1.md
endef

# Not a sub-make, because `make -n` would run it.
define signoff_page
awk -f $(SIGNOFF)/page.awk -v tables="$$(echo $(SIGNOFF)/tables/*.md)" $(SIGNOFF_TEXT) > SIGNOFF.md.new \
    && mv SIGNOFF.md.new SIGNOFF.md
endef

# A complete run records one line with its commit.
define signoff_whole
echo "signoff $$(date -u +%F) $$(($$(date +%s) - started)) $$status $$commit" | \
    cat <(sed '/^signoff /d' $(SIGNOFF)/results.txt) - > $(SIGNOFF)/results.new \
    && mv $(SIGNOFF)/results.new $(SIGNOFF)/results.txt
endef

.PHONY: signoff
signoff: ### run all that SIGNOFF.md shows (hours), or RUNS="lint proofs", and write it
	$(Q)status=0 started=$$(date +%s) commit=$$(git rev-parse --short HEAD 2>/dev/null || echo $(VERSION)); \
	for run in $(or $(RUNS),$(shell awk '!/^\#/ && NF { print $$1 }' $(SIGNOFF)/runs.txt)); do \
	    $(SIGNOFF)/run.sh $(SIGNOFF)/runs.txt $(SIGNOFF)/results.txt $$run || status=1; \
	    $(signoff_page) || status=1; \
	done; \
	$(if $(RUNS),,$(signoff_whole); $(signoff_page) || status=1;) exit $$status

.PHONY: signoff-page
signoff-page: ### write SIGNOFF.md from the checklist and the last runs
	$(Q)$(signoff_page)
