# SPDX-License-Identifier: Apache-2.0
# waves.mk: traces of small examples, in GTKWave or as pictures; included by the Makefile, which has
# Q and BUILD.

GTKWAVE ?= gtkwave

WAVES := build/waves
MATCHING := matching -n 8 -m 3 --engine both
POSTAL := postal-bcast -n 14 -m 1 --lambda 5/2 --engine both
STAGES := matching -n 4 -m 3 --engine csim --waves-to 3
TREE := tree-all-gather --tree 2,2 --ports multi --network fat-tree,pad=1 --engine csim
CUBE := cube-all-gather --dim 3 --engine csim
PICTURES := matching stages postal tree cube

.PHONY: waves
waves: tools-waves ## show a broadcast to 8 nodes in GTKWave
	@$(MAKE) --no-print-directory $(WAVES)/matching.fst
	@[ -n "$$DISPLAY$$WAYLAND_DISPLAY" ] || { echo "make waves: no display; make waves-png needs none" >&2; exit 1; }
	$(Q)$(GTKWAVE) $(WAVES)/matching.fst $(WAVES)/matching.gtkw

.PHONY: waves-png
waves-png: tools-waves ### draw the waveforms of README.md and waves/README.md as pictures
	@$(MAKE) --no-print-directory $(PICTURES:%=$(WAVES)/%.png)
	$(Q)for picture in $(PICTURES); do \
	    cmp -s $(WAVES)/$$picture.png waves/$$picture.png || cp $(WAVES)/$$picture.png waves/ || exit 1; \
	done

$(WAVES)/matching.fst: $(BUILD)/roundcast $(RTL)
	@mkdir -p $(@D)
	@echo "  run  $(MATCHING) --waves $@"
	$(Q)$(BUILD)/roundcast run $(MATCHING) --waves $@ > /dev/null

$(WAVES)/stages.fst: $(BUILD)/roundcast
	@mkdir -p $(@D)
	@echo "  run  $(STAGES) --waves $@"
	$(Q)$(BUILD)/roundcast run $(STAGES) --waves $@ > /dev/null

$(WAVES)/postal.fst: $(BUILD)/roundcast $(RTL)
	@mkdir -p $(@D)
	@echo "  run  $(POSTAL) --waves $@"
	$(Q)$(BUILD)/roundcast run $(POSTAL) --waves $@ > /dev/null

$(WAVES)/tree.fst: $(BUILD)/roundcast
	@mkdir -p $(@D)
	@echo "  run  $(TREE) --waves $@"
	$(Q)$(BUILD)/roundcast run $(TREE) --waves $@ > /dev/null

$(WAVES)/cube.fst: $(BUILD)/roundcast
	@mkdir -p $(@D)
	@echo "  run  $(CUBE) --waves $@"
	$(Q)$(BUILD)/roundcast run $(CUBE) --waves $@ > /dev/null

$(WAVES)/matching.png: $(WAVES)/matching.fst waves/png.sh
	@echo "  png  $@"
	$(Q)waves/png.sh $< $@ run sends receives

$(WAVES)/stages.png: $(WAVES)/stages.fst waves/png.sh
	@echo "  png  $@"
	$(Q)waves/png.sh $< $@ 'stage by stage'

$(WAVES)/postal.png: $(WAVES)/postal.fst waves/png.sh
	@echo "  png  $@"
	$(Q)HEIGHT=1020 waves/png.sh $< $@ run sends receives

$(WAVES)/tree.png: $(WAVES)/tree.fst waves/png.sh
	@echo "  png  $@"
	$(Q)waves/png.sh $< $@ 'the tree, level by level'

$(WAVES)/cube.png: $(WAVES)/cube.fst waves/png.sh
	@echo "  png  $@"
	$(Q)HEIGHT=1020 waves/png.sh $< $@ 'the hypercube, dimension by dimension'
