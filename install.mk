# SPDX-License-Identifier: Apache-2.0
# install.mk: install, uninstall and dist; included by the Makefile, which has Q, BUILD and VERSION,
# after lib/lib.mk.
#
#     make install PREFIX=/usr/local LIBDIR=lib DESTDIR=
#     make uninstall PREFIX=… …                 with the same values
#
# The program finds its files relative to itself, in ../share/roundcast, so that an installed prefix
# can be moved. The names of folders are passed in the environment: they may have any characters.

PREFIX ?= /usr/local
LIBDIR ?= lib
DESTDIR ?=
export PREFIX LIBDIR DESTDIR

# The files that an engine is compiled from, as testbench/engine/source.c lists them.
ENGINE_FILES := $(wildcard rtl/*/rc_*.sv*) rtl/roundcast.vlt synth/netlist.mk synth/netlist.sh \
                synth/parameters.awk testbench/engine.mk testbench/engine/build.mk \
                testbench/engine/dut.h testbench/engine/dut_verilated.cc testbench/engine/fst_files.h
DOC_FILES := README.md CHANGELOG.md LICENSE bench/README.md csim/README.md rtl/README.md \
             formal/README.md synth/README.md tests/fuzz/README.md waves/README.md docs/demo.txt \
             $(wildcard docs/*.md docs/*/*.md docs/*/*.svg docs/*/*.png docs/*/*.json) \
             $(wildcard docs/integrate/*.v docs/integrate/*.sv waves/*.png) \
             $(wildcard lib/examples/*.c csim/examples/*.[ch])

# The program writes its man pages and completions from the texts of --help. The page of the
# schedule format comes from docs/formats.md, the page of the library from its headers. build/share
# has the layout of PREFIX/share.
SHARE := $(BUILD)/share
MAN1 := $(SHARE)/man/man1
ZSH_FUNCTIONS ?= zsh/site-functions
COMPLETIONS := bash:bash-completion/completions/roundcast zsh:$(ZSH_FUNCTIONS)/_roundcast \
               fish:fish/vendor_completions.d/roundcast.fish
FORMATS := $(wildcard docs/formats.md)
PUBLIC_HEADERS := lib/roundcast.h $(wildcard lib/roundcast/*.h)

.PHONY: man
man: $(SHARE)/made ### write the man pages and shell completions to build/share

$(SHARE)/made: $(BUILD)/roundcast cli/completion.awk docs/roff.awk $(FORMATS) lib/manual.awk \
               $(PUBLIC_HEADERS) install.mk
	$(Q)rm -rf $(SHARE)
	$(Q)mkdir -p $(MAN1) $(SHARE)/man/man3 $(SHARE)/man/man5
	$(Q)$< help --manual > $(MAN1)/roundcast.1
	$(Q)$< help --table > $(SHARE)/table
	$(Q)for command in $$(awk '$$1 == "command" { print $$2 }' $(SHARE)/table); do \
	    $< help --manual $$command > $(MAN1)/roundcast-$$command.1 || exit; \
	done
	$(Q)[ -z "$(FORMATS)" ] || awk -f docs/roff.awk -v section='The schedule' \
	    -v name=roundcast-schedule -v version=$(VERSION) \
	    -v summary='the transfers of a collective, in order of time' \
	    $(FORMATS) > $(SHARE)/man/man5/roundcast-schedule.5
	$(Q)awk -f lib/manual.awk -v version=$(VERSION) $(PUBLIC_HEADERS) \
	    > $(SHARE)/man/man3/roundcast.3
	$(Q)for completion in $(COMPLETIONS); do \
	    file=$(SHARE)/$${completion#*:}; \
	    mkdir -p "$${file%/*}" && \
	    awk -f cli/completion.awk -v shell=$${completion%%:*} $(SHARE)/table > $$file || exit; \
	done
	$(Q)rm $(SHARE)/table && touch $@

# $(call install_below,FOLDER,FILES): installs each file at its own path below the folder.
define install_below
	$(Q)for file in $2; do \
	    mode=644; if [ -x "$$file" ]; then mode=755; fi; \
	    install -D -m $$mode "$$file" "$$DESTDIR$$PREFIX/$1/$$file" || exit; \
	done
endef

# Headers keep their paths, because they include one another by them.
CSIM_HEADERS := csim/kernel/csim.h csim/kernel/trace.h sched/base/err.h

# What programs that link a static library need, with gcc or clang.
roundcast_PRIVATE := $(if $(findstring clang,$(CC)),-lomp,-lgomp) -ljansson -lsqlite3 -lz \
                     -lpthread -ldl -lm
csim_PRIVATE := $(csim_LIBS)

# $(call install_library,NAME,PC): installs the static and the shared library, the links that linker
# and loader look for, and a file for pkg-config, in which unusual characters are escaped.
define install_library
	$(Q)install -D -m 644 -t "$$DESTDIR$$PREFIX/$$LIBDIR" $(LIB)/lib$1.a $(LIB)/lib$1.so.$(VERSION)
	$(Q)ln -sf lib$1.so.$(VERSION) "$$DESTDIR$$PREFIX/$$LIBDIR/lib$1.so.$(SO_VERSION)"
	$(Q)ln -sf lib$1.so.$(SO_VERSION) "$$DESTDIR$$PREFIX/$$LIBDIR/lib$1.so"
	$(Q)install -d "$$DESTDIR$$PREFIX/$$LIBDIR/pkgconfig"
	$(Q){ printf 'prefix=%s\n' "$$PREFIX" | sed 's/[^[:alnum:]_=.+:/-]/\\&/g' && \
	    printf '%s\n' 'libdir=$${prefix}/'"$$LIBDIR" 'includedir=$${prefix}/include' '' && \
	    cat $2 && printf '%s\n' 'Version: $(VERSION)' 'Libs.private: $($1_PRIVATE)'; \
	} > "$$DESTDIR$$PREFIX/$$LIBDIR/pkgconfig/$1.pc"
endef

.PHONY: install
install: ## install program, libraries, RTL and pages below PREFIX (default: /usr/local)
install: $(BUILD)/roundcast $(SHARE)/made $(LIBRARY_FILES)
	$(Q)install -D -m 755 $(BUILD)/roundcast "$$DESTDIR$$PREFIX/bin/roundcast"
	$(Q)[ ! -x $(MPI_PROGRAM) ] || \
	    install -D -m 755 $(MPI_PROGRAM) "$$DESTDIR$$PREFIX/bin/roundcast-mpi"
	$(call install_library,roundcast,lib/roundcast.pc)
	$(call install_library,csim,csim/kernel/csim.pc)
	$(Q)install -D -m 644 -t "$$DESTDIR$$PREFIX/include" lib/roundcast.h
	$(Q)install -D -m 644 -t "$$DESTDIR$$PREFIX/include/roundcast" \
	    $(filter lib/roundcast/%,$(PUBLIC_HEADERS))
	$(call install_below,include/roundcast,$(CSIM_HEADERS))
	$(call install_below,share/roundcast,$(ENGINE_FILES))
	$(call install_below,share/doc/roundcast,$(DOC_FILES))
	$(Q)cd $(SHARE) && find * -type f ! -name made | while read -r file; do \
	    install -D -m 644 "$$file" "$$DESTDIR$$PREFIX/share/$$file" || exit; \
	done

# Folders that other packages use stay.
.PHONY: uninstall
uninstall: ## remove what `make install` installed
	$(Q)rm -f "$$DESTDIR$$PREFIX/bin/roundcast" "$$DESTDIR$$PREFIX/bin/roundcast-mpi"
	$(Q)rm -rf "$$DESTDIR$$PREFIX/include/roundcast.h" "$$DESTDIR$$PREFIX/include/roundcast"
	$(Q)cd "$$DESTDIR$$PREFIX/$$LIBDIR" && \
	    rm -f $(LIBRARIES:%=pkgconfig/%.pc) $(LIBRARIES:%=lib%.a) $(LIBRARIES:%=lib%.so*)
	$(Q)cd "$$DESTDIR$$PREFIX/share" && rm -f man/man1/roundcast.1 man/man1/roundcast-*.1 \
	    man/man3/roundcast.3 man/man5/roundcast-schedule.5
	$(Q)cd "$$DESTDIR$$PREFIX/share" && \
	    rm -f $(foreach completion,$(COMPLETIONS),$(lastword $(subst :, ,$(completion))))
	$(Q)rm -rf "$$DESTDIR$$PREFIX/share/roundcast" "$$DESTDIR$$PREFIX/share/doc/roundcast"

# A tarball of the committed files.
.PHONY: dist
dist: ### pack the committed sources as build/roundcast-VERSION.tar.gz
	$(Q)mkdir -p $(BUILD)
	$(Q)git archive --format=tar.gz --prefix=roundcast-$(VERSION)/ \
	    -o $(BUILD)/roundcast-$(VERSION).tar.gz HEAD
	@echo $(BUILD)/roundcast-$(VERSION).tar.gz
