# SPDX-License-Identifier: Apache-2.0
# install.mk: install, uninstall and dist; included by the Makefile, which has Q and BUILD.
#
#     make install PREFIX=/usr/local DESTDIR=
#     make uninstall PREFIX=… DESTDIR=…        with the same values
#
# The program finds the rest beside it, in ../share/roundcast, so that a prefix may be moved. The
# folders' names reach the shell through its environment: they may have any characters.

PREFIX ?= /usr/local
DESTDIR ?=
export PREFIX DESTDIR

VERSION := $(shell sed -n 's/^\#define ROUNDCAST_VERSION "\(.*\)"/\1/p' cli/version.h)

# What an engine is compiled from: the list of testbench/engine/source.c.
ENGINE_FILES := $(wildcard rtl/*/rc_*.sv) synth/netlist.mk synth/netlist.sh synth/parameters.awk \
                testbench/engine.mk testbench/engine/build.mk testbench/engine/dut.h \
                testbench/engine/dut_verilated.cc
DOC_FILES := README.md CHANGELOG.md LICENSE \
             $(wildcard docs/*.md docs/*/*.md docs/*/*.svg docs/*/*.png waves/*.png)

# Pages of man and completions are made by the program itself, from the texts of --help, and the
# page of the schedule's format from docs/formats.md; they stand as they are installed.
SHARE := $(BUILD)/share
MAN1 := $(SHARE)/man/man1
ZSH_FUNCTIONS ?= zsh/site-functions
COMPLETIONS := bash:bash-completion/completions/roundcast zsh:$(ZSH_FUNCTIONS)/_roundcast \
               fish:fish/vendor_completions.d/roundcast.fish
FORMATS := $(wildcard docs/formats.md)

.PHONY: man
man: $(SHARE)/made ## write the pages of man and the completions of shells to build/share

$(SHARE)/made: $(BUILD)/roundcast cli/completion.awk docs/roff.awk $(FORMATS) install.mk
	$(Q)rm -rf $(SHARE)
	$(Q)mkdir -p $(MAN1) $(SHARE)/man/man5
	$(Q)$< help --manual > $(MAN1)/roundcast.1
	$(Q)$< help --table > $(SHARE)/table
	$(Q)for command in $$(awk '$$1 == "command" { print $$2 }' $(SHARE)/table); do \
	    $< $$command --manual=page > $(MAN1)/roundcast-$$command.1 || exit; \
	done
	$(Q)[ -z "$(FORMATS)" ] || awk -f docs/roff.awk -v section='The schedule' -v name=roundcast-schedule -v version=$(VERSION) \
	    -v summary='the transfers of a collective, in order of time' $(FORMATS) > $(SHARE)/man/man5/roundcast-schedule.5
	$(Q)for completion in $(COMPLETIONS); do \
	    file=$(SHARE)/$${completion#*:}; \
	    mkdir -p "$${file%/*}" && \
	    awk -f cli/completion.awk -v shell=$${completion%%:*} $(SHARE)/table > $$file || exit; \
	done
	$(Q)rm $(SHARE)/table && touch $@

# install_below FOLDER FILES: each at its own path below the folder.
define install_below
	$(Q)for file in $2; do \
	    mode=644; if [ -x "$$file" ]; then mode=755; fi; \
	    install -D -m $$mode "$$file" "$$DESTDIR$$PREFIX/$1/$$file" || exit; \
	done
endef

.PHONY: install
install: $(BUILD)/roundcast $(SHARE)/made ## install program, RTL, pages and completions below PREFIX (/usr/local), in DESTDIR
	$(Q)install -D -m 755 $(BUILD)/roundcast "$$DESTDIR$$PREFIX/bin/roundcast"
	$(call install_below,share/roundcast,$(ENGINE_FILES))
	$(call install_below,share/doc/roundcast,$(DOC_FILES))
	$(Q)cd $(SHARE) && find * -type f ! -name made | while read -r file; do \
	    install -D -m 644 "$$file" "$$DESTDIR$$PREFIX/share/$$file" || exit; \
	done

# Folders that others use, too, stay.
.PHONY: uninstall
uninstall: ## remove what `make install` installed
	$(Q)rm -f "$$DESTDIR$$PREFIX/bin/roundcast"
	$(Q)cd "$$DESTDIR$$PREFIX/share" && rm -f man/man1/roundcast.1 man/man1/roundcast-*.1 man/man5/roundcast-schedule.5
	$(Q)cd "$$DESTDIR$$PREFIX/share" && rm -f $(foreach completion,$(COMPLETIONS),$(lastword $(subst :, ,$(completion))))
	$(Q)rm -rf "$$DESTDIR$$PREFIX/share/roundcast" "$$DESTDIR$$PREFIX/share/doc/roundcast"

# What is committed, as a tarball that builds.
.PHONY: dist
dist: ## pack the committed sources as build/roundcast-VERSION.tar.gz
	$(Q)mkdir -p $(BUILD)
	$(Q)git archive --format=tar.gz --prefix=roundcast-$(VERSION)/ -o $(BUILD)/roundcast-$(VERSION).tar.gz HEAD
	@echo $(BUILD)/roundcast-$(VERSION).tar.gz
