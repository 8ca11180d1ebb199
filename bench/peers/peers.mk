# SPDX-License-Identifier: Apache-2.0
# peers.mk: benchmarks that compare Roundcast with other programs on the same work, installed from
# packages of the distribution; included by the Makefile, which has Q, BUILD, COMPILE, LIBRARY and
# LDLIBS.

PEERS := $(BUILD)/bench/peers-network $(BUILD)/bench/peers-simgrid
PEER_CXX = $(CXX) -std=c++17 -Wall -Wextra -Wshadow $(WERROR) -I. $(CFLAGS) -MMD -MP

.PHONY: peers
peers: tools-peers ### measure SystemC, SimGrid and Open MPI on the same work
	@$(MAKE) --no-print-directory --quiet $(BUILD)/roundcast $(MPI_PROGRAM) peers-programs
	$(Q)ROUNDCAST=$(BUILD)/roundcast bench/peers/peers.sh

.PHONY: peers-programs
peers-programs: $(PEERS)

$(BUILD)/obj/bench/peers/%.o: bench/peers/%.cc
	@mkdir -p $(@D)
	@echo "  c++  $<"
	$(Q)$(PEER_CXX) -c -o $@ $<

$(BUILD)/bench/peers-network: $(addprefix $(BUILD)/obj/bench/peers/,network.o systemc.o) $(LIBRARY)
	@mkdir -p $(@D)
	$(Q)$(CXX) $(CFLAGS) -o $@ $^ -lsystemc $(LDLIBS)

$(BUILD)/bench/peers-simgrid: $(BUILD)/obj/bench/peers/simgrid.o $(LIBRARY)
	@mkdir -p $(@D)
	$(Q)$(CXX) $(CFLAGS) -o $@ $^ -lsimgrid $(LDLIBS)

-include $(wildcard $(BUILD)/obj/bench/peers/*.d)
