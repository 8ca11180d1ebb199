# SPDX-License-Identifier: Apache-2.0
# systems.mk: tests on other releases of Debian; included by the Makefile, which has Q.
#
#     make test-tools SYSTEMS="trixie sid" CHECKS="gcc demo"

SYSTEMS ?= bookworm trixie sid
CHECKS_OF_SYSTEMS = $(if $(filter command line,$(origin CHECKS)),$(CHECKS))

# The systems run one after another; each build uses all processors.
.PHONY: test-tools
test-tools: tools-systems ### build and run on Debian 12, 13 and unstable (SYSTEMS, CHECKS), as root
	$(Q)CHECKS='$(CHECKS_OF_SYSTEMS)' qa/systems/systems.sh $(SYSTEMS)
