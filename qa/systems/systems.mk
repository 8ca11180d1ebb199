# SPDX-License-Identifier: Apache-2.0
# systems.mk: the tree on other releases of Debian; included by the Makefile, which has Q.
#
#     make test-tools SYSTEMS="trixie sid" CHECKS="gcc demo"

SYSTEMS ?= bookworm trixie sid
CHECKS_OF_SYSTEMS = $(if $(filter command line,$(origin CHECKS)),$(CHECKS))

# Each make inside has as many jobs as it likes: they run one after another.
.PHONY: test-tools
test-tools: tools-systems ### build and run on Debian 12, 13 and unstable (SYSTEMS, CHECKS), as root
	$(Q)CHECKS='$(CHECKS_OF_SYSTEMS)' qa/systems/systems.sh $(SYSTEMS)
