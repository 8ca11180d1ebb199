# SPDX-License-Identifier: Apache-2.0
# netlist.mk: machines as netlists; included by synth.mk and by testbench/engine/build.mk, which
# have Q, SYNTH, YOWASP, RTL and RTL_PACKAGES.
#
#     build/synth/netlist-rc_multistage_machine-ports8-pipe1-pad0-width16-packets16-flits4-rows64.v

# A netlist depends on the packages and on the modules that Yosys used, which its log names.
$(SYNTH)/netlist-%.v: synth/netlist.sh synth/parameters.awk | tools-formal $(YOWASP)
	@echo "  synth netlist-$*" >&2
	$(Q)synth/netlist.sh $@ $* $(RTL)
	$(Q)sed -nE 's/^(Top|Used) module: +(\$$paramod(\$$[0-9a-f]+)?)?\\([a-z0-9_]+).*/\4/p' $(@:.v=.log) | \
	    sort -u | while read -r module; do ls rtl/*/"$$module".sv; done | awk '{ print "$@: " $$1 "\n" $$1 ":" } END { print "$@: $(RTL_PACKAGES)" }' > $(@:.v=.d)

-include $(wildcard $(SYNTH)/netlist-*.d)
