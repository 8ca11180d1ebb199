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

# install_below FOLDER FILES: each at its own path below the folder.
define install_below
	$(Q)for file in $2; do \
	    mode=644; if [ -x "$$file" ]; then mode=755; fi; \
	    install -D -m $$mode "$$file" "$$DESTDIR$$PREFIX/$1/$$file" || exit; \
	done
endef

.PHONY: install
install: $(BUILD)/roundcast ## install program, RTL and documents below PREFIX (/usr/local), in DESTDIR
	$(Q)install -D -m 755 $(BUILD)/roundcast "$$DESTDIR$$PREFIX/bin/roundcast"
	$(call install_below,share/roundcast,$(ENGINE_FILES))
	$(call install_below,share/doc/roundcast,$(DOC_FILES))

# Folders that others use, too, stay.
.PHONY: uninstall
uninstall: ## remove what `make install` installed
	$(Q)rm -f "$$DESTDIR$$PREFIX/bin/roundcast"
	$(Q)rm -rf "$$DESTDIR$$PREFIX/share/roundcast" "$$DESTDIR$$PREFIX/share/doc/roundcast"
